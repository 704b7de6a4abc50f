package org.metasched.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that is started more than once. It lies below those that systems give to outgoing connections: one of these could
 * have it while the server is down.
 */
public final class FreePort {

    private static final int FIRST = 12_000;
    private static final int AFTER_LAST = 32_000;

    private FreePort() {}

    public static int next() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, AFTER_LAST);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The next one.
            }
        }
    }
}
