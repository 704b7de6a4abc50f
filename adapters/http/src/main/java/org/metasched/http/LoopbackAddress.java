package org.metasched.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

/** The loopback address that this machine has: 127.0.0.1, or ::1 if a container or host has no IPv4. */
public final class LoopbackAddress {

    private LoopbackAddress() {}

    public static InetAddress get() {
        try {
            var usual = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            boolean isMissing = NetworkInterface.getByInetAddress(usual) == null;
            var other = InetAddress.getByName("::1");
            return isMissing && NetworkInterface.getByInetAddress(other) != null ? other : usual;
        } catch (SocketException | UnknownHostException e) {
            return InetAddress.getLoopbackAddress();
        }
    }

    /** The address as in a URL: that of IPv6 in brackets. */
    public static String host() {
        return get() instanceof Inet6Address ? "[::1]" : "127.0.0.1";
    }
}
