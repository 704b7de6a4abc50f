package org.metasched.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.TemporaryFailure;

class HttpServerTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final int LIMIT = 1024;

    @Test
    void tasksRunAfterEagerServletsAndBeforeTheAddressIsBound() throws Exception {
        int port = freePort();
        var servlet = new Reader();
        List<String> seen = new ArrayList<>();

        try (var server = HttpServer.onPort(port)
                .eagerServlet("/eager", servlet, Map.of("colour", "green"))
                .beforeListening(() -> seen.add(servlet.colour + ", " + knock(port)))
                .start()) {
            assertThat(seen).containsExactly("green, refused");
            assertThat(knock(server.base().getPort())).isEqualTo("open");
        }
        assertThat(knock(port)).isEqualTo("refused");
    }

    private static final class Away extends RuntimeException implements TemporaryFailure {
        private static final long serialVersionUID = 1L;

        @Override
        public String publicMessage() {
            return "SERVICE_FAILED: the database is away";
        }
    }

    @Test
    void aServletWhoseDatabaseIsAwaySaysSo() throws Exception {
        var servlet = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) {
                throw new Away();
            }
        };
        try (var server = HttpServer.onPort(0).servlet("/read", servlet).start()) {
            var answer = post(server, BodyPublishers.noBody());

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("SERVICE_FAILED: the database is away\n");
        }
    }

    @Test
    void requestsUnderWayFinishWhenItStopsAndIdleConnectionsDoNotHoldIt() throws Exception {
        var servlet = new Waiting();
        var server = HttpServer.onPort(0).servlet("/wait", servlet).start();
        try (var idle = new Socket(HERE, server.base().getPort());
                var later = new Socket(HERE, server.base().getPort())) {
            idle.getOutputStream().write("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            assertThat(idle.getInputStream().read()).isEqualTo('H');
            later.getOutputStream().write("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            assertThat(servlet.entered.await(20, SECONDS)).isTrue();

            var stopped = CompletableFuture.runAsync(server::close);
            idle.getInputStream().readAllBytes();
            assertThat(stopped).isNotDone();
            servlet.mayGo.countDown();

            assertThat(new String(later.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
            stopped.get();
        }
    }

    @Tag("full")
    @Test
    void anAnswerUnderWayToASlowReaderArrivesWholeWhenTheServerStops() throws Exception {
        var servlet = new Waiting();
        var server = HttpServer.onPort(0).servlet("/wait", servlet).start();
        try (var slow = new Socket(HERE, server.base().getPort())) {
            slow.getOutputStream().write("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            assertThat(servlet.entered.await(20, SECONDS)).isTrue();
            servlet.answer = "w".repeat(64 << 20);

            var stopped = CompletableFuture.runAsync(server::close);
            servlet.mayGo.countDown();
            assertThatThrownBy(() -> stopped.get(1, SECONDS)).isInstanceOf(TimeoutException.class);

            assertThat(slow.getInputStream().readAllBytes()).hasSizeGreaterThan(servlet.answer.length());
            stopped.get();
        }
    }

    @Test
    void aBodyThatDeclaresTooMuchNeverReachesTheServlet() throws Exception {
        var servlet = new Reader();
        try (var server = HttpServer.onPort(0)
                .servlet("/read", servlet)
                .limits(HttpLimits.DEFAULT.withBodyBytes(LIMIT))
                .start()) {
            assertThat(post(server, BodyPublishers.ofByteArray(new byte[LIMIT])).body())
                    .isEqualTo("1024");
            servlet.reached.set(false);

            var answer = post(server, BodyPublishers.ofByteArray(new byte[LIMIT + 1]));

            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).isEqualTo("The message is larger than this service takes.\n");
            assertThat(servlet.reached).isFalse();
        }
    }

    @Test
    void aBodyThatTurnsOutTooLargeNeverReachesTheServlet() throws Exception {
        var servlet = new Reader();
        try (var server = HttpServer.onPort(0)
                .servlet("/read", servlet)
                .limits(HttpLimits.DEFAULT.withBodyBytes(LIMIT))
                .start()) {
            var undeclared = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[16 * LIMIT]));

            var answer = post(server, undeclared);

            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).isEqualTo("The message is larger than this service takes.\n");
            assertThat(servlet.reached).isFalse();
        }
    }

    @Test
    void whatNoServletAnswersIsOneLineOfPlainText() throws Exception {
        try (var server = HttpServer.onPort(0).start()) {
            var answer = send(HttpRequest.newBuilder(server.base().resolve("/nothing")));

            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).isEqualTo("There is nothing here.\n");
            assertThat(answer.headers().firstValue("Server")).isEmpty();
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws Exception {
        try (var taken = new ServerSocket(0, 1, HERE)) {
            assertThatThrownBy(() -> HttpServer.onPort(taken.getLocalPort()).start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()))
                    .hasMessageContaining("another program has the port");
            assertThatThrownBy(() -> HttpServer.onPort(0)
                            .operators(new InetSocketAddress(HERE, taken.getLocalPort()))
                            .start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageMatching("(?s)The server at \\S+:0 cannot start: .*:" + taken.getLocalPort()
                            + "\nMaybe another program has the port.");
        }
    }

    private static HttpResponse<String> post(HttpServer server, BodyPublisher body) throws Exception {
        return send(HttpRequest.newBuilder(server.base().resolve("/read")).POST(body));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request.version(HttpClient.Version.HTTP_1_1).build(), BodyHandlers.ofString());
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

    /** Answers with the length of the body, or that it is too large. */
    private static final class Reader extends HttpServlet {

        private static final long serialVersionUID = 1L;
        final AtomicBoolean reached = new AtomicBoolean();
        String colour = "";

        @Override
        public void init() {
            colour = String.valueOf(getInitParameter("colour"));
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            reached.set(true);
            int answer = request.getInputStream().readAllBytes().length;
            response.getWriter().print(answer);
        }
    }

    /** Answers when it may. */
    private static final class Waiting extends HttpServlet {

        private static final long serialVersionUID = 1L;
        final transient CountDownLatch entered = new CountDownLatch(1);
        final transient CountDownLatch mayGo = new CountDownLatch(1);
        volatile String answer = "went";

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            entered.countDown();
            try {
                mayGo.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.getWriter().print(answer);
        }
    }
}
