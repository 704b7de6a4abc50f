package org.metasched.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.LoopbackHost;

/**
 * The names by which a server is known. The addresses in its WSDL and endpoint references are made from them, never from the {@code Host}
 * header of a request.
 *
 * @param url address that callers use, if a proxy or another name is in front of the server; requests are served with and without its path
 * @param proxies proxies whose {@code Forwarded} and {@code X-Forwarded-} headers are trusted; the last entry is used
 * @param hosts names in a {@code Host} header that are served, besides that of the URL; empty on an address that is not loopback serves any
 */
public record PublicAddress(Optional<URI> url, List<AddressBlock> proxies, Set<String> hosts) {

    /** The attribute of a request that has its {@code Host} header as the caller wrote it: the header itself is replaced by the true address. */
    public static final String CALLED = PublicAddress.class.getName() + ".called";

    /** The attribute of a request that has the names of the server that serves it. */
    public static final String SERVED_BY = PublicAddress.class.getName();

    /** The name of a server that is known by the address it listens at. */
    public static final PublicAddress NONE = new PublicAddress(Optional.empty(), List.of(), Set.of());

    public PublicAddress {
        proxies = List.copyOf(proxies);
        var lower = new TreeSet<String>();
        hosts.forEach(h -> lower.add(h.toLowerCase(Locale.ROOT)));
        url.ifPresent(u -> {
            String scheme = String.valueOf(u.getScheme());
            if (!(scheme.equals("http") || scheme.equals("https")) || u.getHost() == null) {
                throw new IllegalArgumentException(
                        "The public URL (" + u + ") must begin with http:// or https:// and name a host.");
            }
            if (!String.valueOf(u.getRawPath()).matches("(/[A-Za-z0-9._~-]+)*/?") || u.getRawQuery() != null) {
                throw new IllegalArgumentException("The path of the public URL (" + u
                        + ") must be of letters, digits and . _ ~ - between slashes.");
            }
            lower.add(u.getHost().toLowerCase(Locale.ROOT));
        });
        hosts = Set.copyOf(lower);
    }

    /** The path before the path of every address, without a slash at its end, or an empty text. */
    String prefix() {
        return url.map(u -> u.getPath().replaceFirst("/$", "")).orElse("");
    }

    boolean isProxy(InetAddress peer) {
        return proxies.stream().anyMatch(n -> n.contains(peer));
    }

    /**
     * Whether requests for a host are served. Pages of other origins must not reach a server on this machine by a name of theirs (DNS
     * rebinding).
     */
    boolean serves(String host, boolean loopbackListener) {
        return hosts.contains(host.toLowerCase(Locale.ROOT))
                || LoopbackHost.is(host)
                || !loopbackListener && hosts.isEmpty();
    }

    /**
     * Whether an address can be that of this server only: its host is a configured name, a name of the machine, or the address at which the
     * connection arrived. A loopback address counts on a loopback connection only.
     *
     * @param authority host, and port if there is one
     * @param arrived address of this machine at which the connection arrived
     */
    public boolean isOwn(String authority, String arrived) {
        String host = hostOnly(authority).toLowerCase(Locale.ROOT);
        var here = new InetSocketAddress(arrived, 0).getAddress();
        var literal = ForwardedBy.client(authority);
        if (LoopbackHost.is(host)) {
            return here.isLoopbackAddress() || hosts.contains(host);
        }
        return hosts.contains(host)
                || (literal == null
                        ? Machine.NAMES.contains(host)
                        : literal.getAddress().equals(here));
    }

    /** The names of this machine, asked once: a name service may be slow. */
    private static final class Machine {
        static final Set<String> NAMES = names();

        private static Set<String> names() {
            try {
                var here = InetAddress.getLocalHost();
                return Set.copyOf(List.of(
                        here.getHostName().toLowerCase(Locale.ROOT),
                        here.getCanonicalHostName().toLowerCase(Locale.ROOT)));
            } catch (UnknownHostException e) {
                return Set.of();
            }
        }
    }

    static String hostOnly(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }
}
