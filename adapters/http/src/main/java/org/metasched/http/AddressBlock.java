package org.metasched.http;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A block of addresses in CIDR form: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. An IPv4 address inside an IPv6 one counts as
 * IPv4.
 */
public record AddressBlock(InetAddress address, int bits) {

    /**
     * Reads a block.
     *
     * @throws IllegalArgumentException when the text is no block, such as the name of a host
     */
    public static AddressBlock of(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        try {
            if (!literal.matches("\\d+\\.\\d+\\.\\d+\\.\\d+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
                throw new UnknownHostException(literal);
            }
            var address = InetAddress.getByName(literal);
            int most = address.getAddress().length * 8;
            int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > most) {
                throw new NumberFormatException();
            }
            return new AddressBlock(address, bits);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "The network (" + text + ") must be an address or a block such as 10.0.0.0/8.", e);
        }
    }

    /** Whether an address lies in the block. {@code O(1)}. */
    public boolean contains(InetAddress candidate) {
        return candidate.getClass() == address.getClass() && prefix(candidate).equals(prefix(address));
    }

    private BigInteger prefix(InetAddress whole) {
        byte[] bytes = whole.getAddress();
        return new BigInteger(1, bytes).shiftRight(bytes.length * 8 - bits);
    }
}
