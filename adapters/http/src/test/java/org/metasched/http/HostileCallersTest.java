package org.metasched.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that mean harm, over plain sockets. */
@Timeout(120)
class HostileCallersTest {

    private static final HttpLimits EIGHT_THREADS =
            new HttpLimits(4L << 20, 256L << 20, 8_192, 1_024, Duration.ofSeconds(30), 250, 8);

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final String END = "\r\n\r\n";

    @Tag("full")
    @Test
    void bodiesThatComeInDropsTakeNoThreadFromAnybody() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (var server = HttpServer.onPort(0).servlet("/*", new Echo()).start()) {
            for (int i = 0; i < 250; i++) {
                slow.add(sent(server, "POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000" + END + "x"));
            }

            assertThat(answer(server, "GET /health HTTP/1.0" + END)).contains("200 OK");
            assertThat(answer(server, "POST /work HTTP/1.0\r\nContent-Length: 2" + END + "ab"))
                    .contains("200 OK")
                    .endsWith("ab");
        } finally {
            for (var socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void workThatTakesEveryThreadLeavesSomeForPages() throws Exception {
        var stuck = new Stuck();
        List<Socket> askers = new ArrayList<>();
        try (var server = HttpServer.onPort(0)
                .limits(EIGHT_THREADS)
                .servlet("/work", stuck)
                .servlet("/health", new Echo())
                .start()) {
            for (int i = 0; i < 40; i++) {
                askers.add(sent(server, "POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1" + END + "x"));
            }
            stuck.entered.acquire(8);

            assertThat(answer(server, "GET /health HTTP/1.0" + END)).contains("200 OK");
            assertThat(stuck.entered.availablePermits()).isZero();
            stuck.leave.release(40);
        } finally {
            for (var socket : askers) {
                socket.close();
            }
        }
    }

    @Test
    void connectionsOfOneAddressAreBounded() throws Exception {
        var limits = HttpLimits.DEFAULT;
        var few = new HttpLimits(
                limits.bodyBytes(), limits.bytesWaiting(), limits.connections(), 3, limits.idle(), 250, 8);
        try (var server =
                HttpServer.onPort(0).limits(few).servlet("/*", new Echo()).start()) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                var socket = sent(server, "GET / HTTP/1.1\r\nHost: localhost" + END);
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                open.add(socket);
            }
            try (var fourth = new Socket(HERE, server.base().getPort())) {
                assertThat(isClosed(fourth)).isTrue();
            }
            for (var socket : open) {
                socket.close();
            }
        }
    }

    /** However a connection ends, it counts no more. */
    @ParameterizedTest
    @ValueSource(strings = {"answered", "left", "reset", "broken off"})
    void connectionsThatAreGoneDoNotCount(String end) throws Exception {
        var limits = HttpLimits.DEFAULT;
        var few = new HttpLimits(
                limits.bodyBytes(), limits.bytesWaiting(), limits.connections(), 50, limits.idle(), 250, 8);
        try (var server =
                HttpServer.onPort(0).limits(few).servlet("/*", new Echo()).start()) {
            for (int i = 0; i < 1_000; i++) {
                try (var socket = new Socket(HERE, server.base().getPort())) {
                    if (end.equals("broken off")) {
                        send(socket, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9" + END + "x");
                    } else if (!end.equals("left")) {
                        send(socket, "GET / HTTP/1.0" + END);
                    }
                    if (end.equals("answered")) {
                        assertThat(socket.getInputStream().readAllBytes())
                                .as("Answer %d", i)
                                .isNotEmpty();
                    }
                    socket.setSoLinger(end.equals("reset"), 0);
                }
            }
            // Some may still wait to be accepted.
            assertThat(IntStream.range(0, 1_000).anyMatch(i -> isAnswered(server)))
                    .isTrue();
        }
    }

    @Test
    void bytesThatWaitAreBounded() throws Exception {
        var limits = new HttpLimits(1 << 20, 10_000, 100, 100, Duration.ofSeconds(30), 250, 8);
        try (var server =
                HttpServer.onPort(0).limits(limits).servlet("/*", new Echo()).start()) {
            var half = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000" + END + "x".repeat(9_000);
            try (var first = sent(server, half);
                    var second = sent(server, half)) {
                String one = read(second, first);

                assertThat(one).contains("503").contains("Retry-After: 5");
            }
            assertThat(answer(server, "POST / HTTP/1.0\r\nContent-Length: 2" + END + "ab"))
                    .contains("200 OK");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example.net", "localhost.evil.example.net", "127.evil.example.net", "evil.example.net:8080"
            })
    void aServerOnThisMachineIsNotServedUnderForeignNames(String host) throws Exception {
        try (var server = HttpServer.onPort(0).servlet("/*", new Echo()).start()) {
            assertThat(answer(server, "GET / HTTP/1.1\r\nConnection: close\r\nHost: " + host + END))
                    .contains("421")
                    .doesNotContain("evil");
            assertThat(answer(server, "GET / HTTP/1.1\r\nConnection: close\r\nHost: localhost" + END))
                    .endsWith("http://127.0.0.1:" + server.base().getPort() + "/ from 127.0.0.1");
        }
    }

    @Test
    void whatAServerSaysOfItselfComesFromItsConfiguration() throws Exception {
        var names = new PublicAddress(Optional.of(URI.create("https://grid.example.org")), List.of(), Set.of("inside"));
        try (var server =
                HttpServer.onPort(0).knownAs(names).servlet("/*", new Echo()).start()) {
            for (String host : List.of("grid.example.org", "inside", "localhost:1")) {
                assertThat(answer(
                                server,
                                "GET /x HTTP/1.1\r\nConnection: close\r\nHost: " + host
                                        + "\r\nX-Forwarded-Host: evil\r\nX-Forwarded-For: 192.0.2.1" + END))
                        .endsWith("https://grid.example.org/x from 127.0.0.1");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Forwarded-For: 6.6.6.6, 192.0.2.7 | X-Forwarded-Proto: https | https://localhost/ from 192.0.2.7",
                "Forwarded: for=6.6.6.6, for=\"[2001:db8::7]:99\";proto=https;host=localhost | A: b"
                        + " | https://localhost/ from [2001:db8:0:0:0:0:0:7]",
                "Forwarded: for=_hidden;proto=http;host=localhost | A: b | http://localhost/ from 127.0.0.1"
            })
    void theLastEntryOfAProxyThatIsBelievedCounts(String one, String two, String seen) throws Exception {
        assertThat(behindProxy(one, two)).endsWith(seen);
    }

    /** A caller's own header goes through a proxy that sets the other one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Forwarded: for=6.6.6.6;host=localhost | X-Forwarded-For: 192.0.2.7 | 400 Bad Request",
                "Forwarded: host=localhost | X-Forwarded-For: 192.0.2.7 | 400 Bad Request",
                "Forwarded: for=\"[2001:db8::7]:9\" | X-Forwarded-For: 2001:db8:0::7 | 200 OK"
            })
    void headersOfProxiesThatNameTwoClientsAreRefused(String one, String two, String seen) throws Exception {
        assertThat(behindProxy(one, two)).startsWith("HTTP/1.1 " + seen);
    }

    private static String behindProxy(String one, String two) throws Exception {
        var names = new PublicAddress(Optional.empty(), List.of(AddressBlock.of("127.0.0.0/8")), Set.of());
        try (var server =
                HttpServer.onPort(0).knownAs(names).servlet("/*", new Echo()).start()) {
            return answer(
                    server,
                    "GET / HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\nX-Forwarded-Host: localhost\r\n" + one
                            + "\r\n" + two + END);
        }
    }

    @Test
    void healthAnswersWhileAllPagesHang() throws Exception {
        var end = new CountDownLatch(1);
        var open = new ArrayList<Socket>();
        try (var server = HttpServer.onPort(0)
                .limits(EIGHT_THREADS)
                .servlet("/health", new Echo())
                .servlet("/sites", new HttpServlet() {
                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                })
                .start()) {
            for (int i = 0; i < 80; i++) {
                open.add(sent(server, "GET /sites HTTP/1.0" + END));
            }
            try (var health = sent(server, "GET /health HTTP/1.0" + END)) {
                health.setSoTimeout(30_000);
                assertThat(new String(health.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .contains("200 OK");
            } finally {
                end.countDown();
            }
        } finally {
            for (var socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void operatorsHaveAnAddressOfTheirOwn() throws Exception {
        int port = freePort();
        try (var server = HttpServer.onPort(0)
                .servlet("/*", new Echo())
                .operators(new java.net.InetSocketAddress(HERE, port))
                .start()) {
            assertThat(server.base().getPort()).isNotEqualTo(port);
            try (var socket = new Socket(HERE, port)) {
                send(socket, "GET /health HTTP/1.0" + END);
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .contains("200 OK");
            }
        }
    }

    @Test
    void aBareLineFeedEndsNoHeaderLine() throws Exception {
        try (var server = HttpServer.onPort(0).servlet("/*", new Echo()).start()) {
            assertThat(answer(server, "GET / HTTP/1.1\nHost: localhost\n\n")).contains("400");
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new java.net.ServerSocket(0, 1, HERE)) {
            return socket.getLocalPort();
        }
    }

    private static boolean isAnswered(HttpServer server) {
        try {
            return answer(server, "GET / HTTP/1.0" + END).contains("200 OK");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** The answer on whichever of two is answered. */
    private static String read(Socket one, Socket other) throws Exception {
        one.setSoTimeout(200);
        other.setSoTimeout(200);
        var text = new StringBuilder();
        for (int turn = 0; text.indexOf("Retry-After") < 0 && turn < 300; turn++) {
            try {
                InputStream from = (turn % 2 == 0 ? one : other).getInputStream();
                for (int c = from.read(); c >= 0; c = from.read()) {
                    text.append((char) c);
                }
            } catch (java.net.SocketTimeoutException e) {
                continue;
            }
        }
        return text.toString();
    }

    private static String answer(HttpServer server, String request) throws IOException {
        try (var socket = sent(server, request)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        }
    }

    private static Socket sent(HttpServer server, String text) throws IOException {
        var socket = new Socket(HERE, server.base().getPort());
        send(socket, text);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** A body comes back; without one, what the request says about the address. */
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            String seen = request.getRequestURL() + " from " + request.getRemoteAddr();
            response.getOutputStream().write(body.length > 0 ? body : seen.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Holds every thread that enters. */
    private static final class Stuck extends HttpServlet {
        private static final long serialVersionUID = 1L;
        final transient java.util.concurrent.Semaphore entered = new java.util.concurrent.Semaphore(0);
        final transient java.util.concurrent.Semaphore leave = new java.util.concurrent.Semaphore(0);

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            entered.release();
            leave.acquireUninterruptibly();
        }
    }
}
