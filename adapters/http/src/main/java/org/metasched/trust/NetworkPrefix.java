package org.metasched.trust;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** The network of an address: a stranger has many addresses of one network, above all with IPv6. */
final class NetworkPrefix {

    private NetworkPrefix() {}

    /** One line of a customer: an address of IPv4, or 64 bits. */
    static String line(String address) {
        return of(address, 4, 8);
    }

    /** The network that a customer may have whole: 24 bits, or 48. */
    static String network(String address) {
        return of(address, 3, 6);
    }

    private static String of(String address, int bytes, int bytesOfSix) {
        String literal = address.replaceAll("[\\[\\]]|%.*", "");
        if (!literal.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            return address;
        }
        try {
            byte[] all = InetAddress.getByName(literal).getAddress();
            return HexFormat.of().formatHex(all, 0, all.length == 4 ? bytes : bytesOfSix) + "/";
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
