package org.metasched.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Rules for calls of addresses that strangers name: contact addresses of ads, endpoint references of offers, key sets. A host is
 * resolved once, each of its addresses is checked, and {@link OutboundClient} connects only to a checked address.
 *
 * @param schemes allowed schemes, in lower case
 * @param hosts the only allowed hosts, as they are written in the URL, or {@code *.domain}; empty allows any
 * @param networks networks that are allowed although they are private or this machine
 * @param ports allowed ports below 1024; those from 1024 on always are, and that of the scheme if the URL names none
 */
public record OutboundPolicy(Set<String> schemes, List<String> hosts, List<AddressBlock> networks, Set<Integer> ports) {

    /** HTTPS to public addresses. */
    public static final OutboundPolicy STRICT =
            new OutboundPolicy(Set.of("https"), List.of(), List.of(), Set.of(80, 443));

    /** HTTP and HTTPS to public addresses and to this machine: for servers that only this machine reaches. */
    public static final OutboundPolicy LOCAL = new OutboundPolicy(
            Set.of("http", "https"),
            List.of(),
            List.of(AddressBlock.of("127.0.0.0/8"), AddressBlock.of("::1")),
            Set.of(80, 443));

    private static final int LONGEST = 2_048;

    /** Addresses that are refused unless a network allows them: this host, private and special networks, and ways to write IPv4 in IPv6. */
    private static final List<AddressBlock> SPECIAL = List.of(
                    ("0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24"
                                    + " 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3 ::/96 64:ff9b::/32 2001::/32 2002::/16 fc00::/7"
                                    + " fe80::/10 fec0::/10 ff00::/8")
                            .split(" "))
            .stream()
            .map(AddressBlock::of)
            .toList();

    public OutboundPolicy {
        schemes = Set.copyOf(schemes);
        hosts = hosts.stream().map(h -> h.toLowerCase(Locale.ROOT)).toList();
        networks = List.copyOf(networks);
        ports = Set.copyOf(ports);
    }

    /** The same policy for some hosts only, at any address. */
    public OutboundPolicy withHosts(List<String> only) {
        return new OutboundPolicy(schemes, only, List.of(AddressBlock.of("0.0.0.0/0"), AddressBlock.of("::/0")), ports);
    }

    /**
     * Reads an address and checks all that needs no name service.
     *
     * @throws IllegalArgumentException when the address is not allowed
     */
    public URI read(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The address has " + text.length() + " characters; at most " + LONGEST + " are read.");
        }
        URI address;
        try {
            address = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The address (" + text + ") is no URL: " + e.getReason() + ".", e);
        }
        String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        if (!schemes.contains(scheme)) {
            throw new IllegalArgumentException("The address (" + text + ") must begin with "
                    + String.join(
                            " or ",
                            schemes.stream().map(s -> s + "://").sorted().toList()) + ".");
        }
        if (address.getHost() == null || address.getRawUserInfo() != null || address.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "The address (" + text + ") must have a host, and neither a user nor a fragment.");
        }
        checkHost(address.getHost().toLowerCase(Locale.ROOT));
        checkPort(address);
        return address;
    }

    private void checkHost(String host) {
        boolean literal = host.matches("\\d+\\.\\d+\\.\\d+\\.\\d+") || host.startsWith("[");
        if (host.endsWith(".") || !literal && host.matches("(.*\\.)?(0x[0-9a-f]*|[0-9]+)")) {
            throw new IllegalArgumentException("The host (" + host
                    + ") must be a name without a dot at its end, or an address in the usual form.");
        }
        if (!hosts.isEmpty() && hosts.stream().noneMatch(known -> matches(known, host))) {
            throw new IllegalArgumentException("The host (" + host + ") is not one of the allowed hosts.");
        }
        if (literal) {
            try {
                checkAll(host, InetAddress.getAllByName(host));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("The host (" + host + ") is no address.", e);
            }
        }
    }

    private void checkPort(URI address) {
        int port = address.getPort();
        if (port == 0 || port > 65_535 || port > 0 && port < 1_024 && !ports.contains(port)) {
            throw new IllegalArgumentException(
                    "The port (" + port + ") is not allowed; " + new TreeSet<>(ports) + " and those from 1024 are.");
        }
    }

    /**
     * Resolves a host by the name service, which may take long.
     *
     * @throws IllegalArgumentException when one of its addresses is not allowed
     * @throws UnknownHostException when the name service knows no address now
     */
    public List<InetAddress> resolve(String host) throws UnknownHostException {
        var all = InetAddress.getAllByName(host);
        checkAll(host, all);
        return List.of(all);
    }

    private void checkAll(String host, InetAddress[] all) {
        for (InetAddress at : all) {
            boolean special = SPECIAL.stream().anyMatch(n -> n.contains(at));
            if (special && networks.stream().noneMatch(n -> n.contains(at))) {
                throw new IllegalArgumentException(
                        "The host (" + host + ") is at " + at.getHostAddress() + ", which the policy forbids.");
            }
        }
    }

    private static boolean matches(String known, String host) {
        return known.startsWith("*.") ? host.endsWith(known.substring(1)) : host.equals(known);
    }
}
