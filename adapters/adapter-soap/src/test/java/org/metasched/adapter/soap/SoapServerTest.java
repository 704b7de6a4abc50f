package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.PostConstruct;
import jakarta.jws.WebService;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoapServerTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void listensWhenEveryServiceIsThereAndNotBefore() throws Exception {
        int port = freePort();
        var first = new Knocking(port);
        var last = new Knocking(port);

        try (var server = SoapServer.onPort(port)
                .service("First", first)
                .service("Last", last)
                .start()) {
            assertThat(first.answers).containsExactly("refused");
            assertThat(last.answers).containsExactly("refused");
            assertThat(knock(server.base().getPort())).isEqualTo("open");
        }
        assertThat(knock(port)).isEqualTo("refused");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, HERE)) {
            return socket.getLocalPort();
        }
    }

    private static String knock(int port) {
        try (var socket = new Socket(HERE, port)) {
            return socket.isConnected() ? "open" : "closed";
        } catch (ConnectException e) {
            return "refused";
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** A service that knocks at the door of its own server while it is being published. */
    @WebService
    public static final class Knocking {

        final List<String> answers = new ArrayList<>();
        private final int port;

        Knocking(int port) {
            this.port = port;
        }

        @PostConstruct
        public void published() {
            answers.add(knock(port));
        }

        /** A service has at least one operation. */
        public String name() {
            return "knocking";
        }
    }
}
