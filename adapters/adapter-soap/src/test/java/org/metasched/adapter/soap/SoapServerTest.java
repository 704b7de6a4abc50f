package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.PostConstruct;
import jakarta.jws.WebService;
import jakarta.xml.ws.BindingType;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"error", "runtime", "answer"})
    void aMistakeOfTheServiceIsNotToldAsTheSenders(String how) throws Exception {
        String message = "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body>"
                + "<b:fail xmlns:b='http://soap.adapter.metasched.org/'><arg0>" + how + "</arg0></b:fail>"
                + "</e:Body></e:Envelope>";
        try (var server = SoapServer.onPort(0).service("Broken", new Broken()).start()) {
            var answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(server.service("Broken"))
                                    .header("Content-Type", "application/soap+xml; charset=utf-8")
                                    .POST(BodyPublishers.ofString(message))
                                    .build(),
                            BodyHandlers.ofString());

            assertThat(answer.body())
                    .contains("SERVICE_FAILED", ":Receiver<")
                    .doesNotContain("MESSAGE_INVALID", "secret");
            // The status has gone before it shows that the answer cannot be written.
            assertThat(answer.statusCode()).isEqualTo(how.equals("answer") ? 200 : 500);
        }
    }

    /** A service whose operation fails by mistakes of its own. */
    @WebService
    @BindingType(SOAPBinding.SOAP12HTTP_BINDING)
    public static final class Broken {

        public Object fail(String how) {
            if (how.equals("error")) {
                throw new StackOverflowError("secret");
            }
            if (how.equals("runtime")) {
                throw new IllegalStateException("secret");
            }
            return new StringBuilder("secret, and of a class that no answer can hold");
        }
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
