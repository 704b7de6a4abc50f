package org.metasched.soap.introduction;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * Which addresses the matchmaker calls. Whoever can advertise names one, so an address is a stranger's wish: http or https, no
 * user in it, and no address at which only this machine or its nearest network is reached, unless the operator names hosts.
 * A name is resolved here and again by the call; a name server that lies between the two is not noticed.
 *
 * @param hosts if there are any, only these are called: a host or address as it is written in the URL, or {@code *.domain}
 * @param loopback whether, without a list of hosts, parties on this machine are called
 */
public record ContactPolicy(List<String> hosts, boolean loopback) {

    private static final int LONGEST = 2_048;

    public ContactPolicy {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException when it is none that may be called, whoever it belongs to
     */
    static URI read(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The address has " + text.length() + " characters; at most " + LONGEST + " are read.");
        }
        try {
            var address = new URI(text);
            String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            if (!scheme.equals("http") && !scheme.equals("https")) {
                throw new IllegalArgumentException("The address (" + text + ") must begin with http:// or https://.");
            }
            boolean plain =
                    address.getHost() != null && address.getRawUserInfo() == null && address.getPort() <= 65_535;
            if (!plain || address.getRawFragment() != null) {
                throw new IllegalArgumentException(
                        "The address (" + text + ") must have a host, and neither a user nor a fragment.");
            }
            return address;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The address (" + text + ") is no URL: " + e.getReason() + ".", e);
        }
    }

    /**
     * Checks where an address leads. Asks the name service, and so may take its time.
     *
     * @throws IllegalArgumentException when it is not to be called
     * @throws UnknownHostException when the name leads nowhere now
     */
    void check(URI address) throws UnknownHostException {
        String host = address.getHost().toLowerCase(Locale.ROOT);
        if (!hosts.isEmpty()) {
            if (hosts.stream().noneMatch(known -> matches(known, host))) {
                throw new IllegalArgumentException("The host (" + host + ") is not among those that are called.");
            }
            return;
        }
        for (InetAddress at : InetAddress.getAllByName(host)) {
            boolean nobodys = at.isAnyLocalAddress() || at.isLinkLocalAddress() || at.isMulticastAddress();
            if (nobodys || at.isLoopbackAddress() && !loopback) {
                throw new IllegalArgumentException(
                        "The host (" + host + ") is at " + at.getHostAddress() + ", which is not called.");
            }
        }
    }

    private static boolean matches(String known, String host) {
        return known.startsWith("*.") ? host.endsWith(known.substring(1)) : host.equals(known);
    }
}
