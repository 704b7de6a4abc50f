package org.metasched.fakes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port of this machine that had no listener a moment ago. */
public final class UnusedPort {

    private UnusedPort() {}

    public static int next() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
