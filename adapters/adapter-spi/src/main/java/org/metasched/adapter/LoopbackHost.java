package org.metasched.adapter;

import java.util.Locale;

/** The hosts of addresses by which a machine reaches itself only. */
public final class LoopbackHost {

    private LoopbackHost() {}

    /** @param host a name, or an address as in a URL: that of IPv6 in brackets */
    public static boolean is(String host) {
        return host.toLowerCase(Locale.ROOT).matches("localhost|127(\\.\\d{1,3}){3}|\\[(0:){7}1]|\\[::1]");
    }
}
