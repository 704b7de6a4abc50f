package org.metasched.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.QuotedCSV;
import org.jspecify.annotations.Nullable;

/**
 * Headers that the nearest proxy adds to a request: the last entry of {@code Forwarded} (RFC 7239), else the last of
 * each {@code X-Forwarded-} header. Earlier entries may be forged, and so may the header that the proxy does not set: both must name one
 * client.
 */
record ForwardedBy(
        @Nullable InetSocketAddress client,
        boolean isSecure,
        @Nullable String host) {

    static final ForwardedBy NOTHING = new ForwardedBy(null, false, null);

    static ForwardedBy read(HttpFields headers) {
        String standard = last(headers.getCSV("Forwarded", true));
        String client = last(headers.getCSV("X-Forwarded-For", false));
        if (standard != null) {
            var pairs = pairs(standard);
            var named = client(pairs.get("for"));
            if (client != null && !Objects.equals(address(named), address(client(client)))) {
                throw new HttpException.RuntimeException(
                        HttpStatus.BAD_REQUEST_400, "Forwarded and X-Forwarded-For name different clients.");
            }
            return new ForwardedBy(named, "https".equalsIgnoreCase(pairs.get("proto")), pairs.get("host"));
        }
        String scheme = last(headers.getCSV("X-Forwarded-Proto", false));
        String host = last(headers.getCSV("X-Forwarded-Host", false));
        return client == null && scheme == null && host == null
                ? NOTHING
                : new ForwardedBy(client(client), "https".equalsIgnoreCase(scheme), host);
    }

    private static @Nullable InetAddress address(@Nullable InetSocketAddress client) {
        return client == null ? null : client.getAddress();
    }

    private static @Nullable String last(List<String> values) {
        return values.isEmpty() ? null : values.get(values.size() - 1).strip();
    }

    private static Map<String, String> pairs(String element) {
        Map<String, String> pairs = new HashMap<>();
        for (String pair : element.split(";", -1)) {
            int is = pair.indexOf('=');
            if (is > 0) {
                pairs.put(
                        pair.substring(0, is).strip().toLowerCase(Locale.ROOT),
                        QuotedCSV.unquote(pair.substring(is + 1).strip()));
            }
        }
        return pairs;
    }

    /** The address of the client; null for an obfuscated identifier, so that the proxy itself counts as the client. */
    static @Nullable InetSocketAddress client(@Nullable String text) {
        if (text == null) {
            return null;
        }
        boolean bracketed = text.startsWith("[");
        int colon = text.lastIndexOf(':');
        boolean withPort = bracketed ? colon > text.indexOf(']') : colon > 0 && text.indexOf(':') == colon;
        String host = withPort ? text.substring(0, colon) : text;
        String plain = bracketed ? host.replaceAll("[\\[\\]]", "") : host;
        if (!plain.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            return null;
        }
        try {
            // A number that is no port is made one: only the address counts.
            int port = withPort ? Integer.parseInt(text.substring(colon + 1)) : 0;
            return new InetSocketAddress(InetAddress.getByName(plain), port & 0xFFFF);
        } catch (UnknownHostException | NumberFormatException e) {
            return null;
        }
    }
}
