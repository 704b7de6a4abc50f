package org.metasched.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * A block of addresses in CIDR form: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. An IPv4 address inside an IPv6 one counts as
 * IPv4.
 */
public final class AddressBlock {

    private final byte[] address;
    private final int bits;
    private final String text;

    private AddressBlock(byte[] address, int bits, String text) {
        this.address = address;
        this.bits = bits;
        this.text = text;
    }

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
            byte[] address = InetAddress.getByName(literal).getAddress();
            int bits = slash < 0 ? address.length * 8 : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > address.length * 8) {
                throw new NumberFormatException();
            }
            return new AddressBlock(address, bits, text);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "The network (" + text + ") must be an address or a block such as 10.0.0.0/8.", e);
        }
    }

    /** Whether an address lies in the block. {@code O(1)}. */
    public boolean contains(InetAddress candidate) {
        byte[] other = candidate.getAddress();
        if (other.length != address.length) {
            return false;
        }
        int whole = bits / 8;
        if (!Arrays.equals(address, 0, whole, other, 0, whole)) {
            return false;
        }
        int rest = bits % 8;
        int mask = 0xFF << (8 - rest);
        return rest == 0 || ((address[whole] ^ other[whole]) & mask) == 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
