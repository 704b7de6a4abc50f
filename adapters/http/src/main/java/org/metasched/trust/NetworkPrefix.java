package org.metasched.trust;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** The network of an address, since one sender may have many addresses of a network, above all with IPv6. */
final class NetworkPrefix {

    private NetworkPrefix() {}

    /** The network of one line to a customer: a whole IPv4 address, or 64 bits of IPv6. */
    static String ofConnection(String address) {
        return of(address, 4, 8);
    }

    /** The network that one customer may have: 24 bits of IPv4, or 48 of IPv6. */
    static String ofCustomer(String address) {
        return of(address, 3, 6);
    }

    private static String of(String address, int bytesOfIpv4, int bytesOfIpv6) {
        String literal = address.replaceAll("[\\[\\]]|%.*", "");
        if (!literal.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            return address;
        }
        try {
            byte[] all = InetAddress.getByName(literal).getAddress();
            return HexFormat.of().formatHex(all, 0, all.length == 4 ? bytesOfIpv4 : bytesOfIpv6) + "/";
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
