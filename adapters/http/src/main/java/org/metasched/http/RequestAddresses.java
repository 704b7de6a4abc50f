package org.metasched.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.eclipse.jetty.http.HostPortHttpField;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Gives every request the address under which the server is known, and the address of the client that made it. Trusts configured proxies,
 * and no other statement of a request about either address. The path of the public URL is removed, so that policies and limits see the same
 * path with and without it; the servlets get it as their context path. A {@code Host} that is not served gets status 421.
 */
record RequestAddresses(PublicAddress names, boolean loopback) implements HttpConfiguration.Customizer {

    @Override
    public Request customize(Request request, HttpFields.Mutable answerHeaders) {
        var metaData = request.getConnectionMetaData();
        var forwarded = metaData.getRemoteSocketAddress() instanceof InetSocketAddress peer
                        && peer.getAddress() != null
                        && names.isProxy(peer.getAddress())
                ? ForwardedBy.read(request.getHeaders())
                : ForwardedBy.NOTHING;
        String host = forwarded.host() != null
                ? PublicAddress.hostOnly(forwarded.host())
                : request.getHttpURI().getHost();
        if (host != null && !names.serves(host, loopback)) {
            throw new HttpException.RuntimeException(
                    HttpStatus.MISDIRECTED_REQUEST_421, "This server is not known by that name.");
        }
        request.setAttribute(PublicAddress.SERVED_BY, names);
        request.setAttribute(PublicAddress.CALLED, request.getHeaders().get(HttpHeader.HOST));
        return new Named(request, address(request, forwarded), forwarded);
    }

    private HttpURI address(Request request, ForwardedBy forwarded) {
        var uri = HttpURI.build(request.getHttpURI());
        String path = String.valueOf(uri.getPath());
        if (!names.prefix().isEmpty() && (path + "/").startsWith(names.prefix() + "/")) {
            uri.path(
                    path.length() == names.prefix().length()
                            ? "/"
                            : path.substring(names.prefix().length()));
        }
        if (names.url().isPresent()) {
            var known = names.url().get();
            uri.scheme(known.getScheme()).authority(known.getHost(), known.getPort());
        } else if (forwarded.host() != null) {
            uri.scheme(forwarded.isSecure() ? "https" : "http").authority(forwarded.host());
        } else if (request.getConnectionMetaData().getLocalSocketAddress() instanceof InetSocketAddress local) {
            uri.scheme(request.isSecure() ? "https" : "http").authority(literal(local), local.getPort());
        }
        return uri.asImmutable();
    }

    private static String literal(InetSocketAddress local) {
        String text = local.getAddress().getHostAddress();
        return text.contains(":") ? "[" + text.replaceAll("%.*", "") + "]" : text;
    }

    /** A request under its true address. */
    private static final class Named extends Request.Wrapper {
        private final HttpURI address;
        private final HttpFields headers;
        private final ForwardedBy forwarded;
        private final ConnectionMetaData metaData;

        Named(Request request, HttpURI address, ForwardedBy forwarded) {
            super(request);
            this.address = address;
            this.headers = HttpFields.build(request.getHeaders())
                    .put(new HostPortHttpField(address.getHost(), address.getPort()))
                    .asImmutable();
            this.forwarded = forwarded;
            var direct = request.getConnectionMetaData();
            InetSocketAddress client = forwarded.client();
            this.metaData = client == null
                    ? direct
                    : new ConnectionMetaData.Wrapper(direct) {
                        @Override
                        public SocketAddress getRemoteSocketAddress() {
                            return client;
                        }
                    };
        }

        @Override
        public @Nullable HttpURI getHttpURI() {
            return address;
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }

        @Override
        public ConnectionMetaData getConnectionMetaData() {
            return metaData;
        }

        @Override
        public boolean isSecure() {
            return forwarded == ForwardedBy.NOTHING ? super.isSecure() : forwarded.isSecure();
        }
    }
}
