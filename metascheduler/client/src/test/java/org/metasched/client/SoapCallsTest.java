package org.metasched.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers of a service that is not one, and callers that are no responder. */
class SoapCallsTest {

    private final AtomicReference<String> authorization = new AtomicReference<>("");
    private final HttpServer server = start();
    private int status = 200;
    private String type = "application/soap+xml";
    private String body = "";

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void whatIsNoAnswerIsSaidInWords() {
        status = 401;
        assertThatThrownBy(client()::templates).hasMessageContaining("wants a certificate or a token");
        status = 404;
        assertThatThrownBy(client()::templates).hasMessageContaining("no such service");
        status = 200;
        type = "text/html";
        assertThatThrownBy(client()::templates).isInstanceOf(IOException.class).hasMessageContaining("HTTP status 200");
        type = "application/soap+xml";
        body = "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>";
        assertThatThrownBy(client()::templates).isInstanceOf(IOException.class).hasMessageContaining("DOCTYPE");
        body = "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body/></e:Envelope>";
        assertThatThrownBy(client()::templates).hasMessageContaining("no SOAP message");
    }

    @Test
    void aPlainFaultHasItsReasonAndNoCode() {
        status = 500;
        body = "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body><e:Fault><e:Reason>"
                + "<e:Text>not today</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>";

        assertThatThrownBy(client()::templates).isInstanceOfSatisfying(AgreementFaultException.class, fault -> {
            assertThat(fault.code()).isEmpty();
            assertThat(fault.descriptions()).containsExactly("not today");
        });
    }

    @Test
    void aProofIsSentWithEachCall() {
        status = 404;
        var client = new AgreementClient(
                base(),
                Duration.ofSeconds(20),
                new Credentials(Optional.empty(), target -> Optional.of("Bearer for " + target.getPath())));

        assertThatThrownBy(client::templates).isInstanceOf(IOException.class);
        assertThat(authorization).hasValue("Bearer for /services/AgreementFactory");
    }

    @Test
    void anAnswerThatIsTooLongIsCutOff() {
        var bounded = new BoundedBody(10);
        bounded.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long most) {}

            @Override
            public void cancel() {}
        });
        bounded.onNext(List.of(ByteBuffer.allocate(6)));
        bounded.onNext(List.of(ByteBuffer.allocate(6)));

        assertThatThrownBy(() -> bounded.getBody().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("too long");
    }

    @Test
    void onlyTheAddressOfAnOfferHearsItsDecision() throws Exception {
        try (var acceptances = Acceptances.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "http://127.0.0.1:PORT")) {
            var expected = acceptances.expect();
            String yes = "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body><w:AcceptAgreementInput"
                    + " xmlns:w='http://schemas.ggf.org/graap/2007/03/ws-agreement'/></e:Body></e:Envelope>";

            assertThat(send(expected.address().resolve("/guessed"), yes)).isEqualTo(404);
            assertThat(send(expected.address(), "no XML")).isEqualTo(400);
            assertThat(expected.accepted()).isNotDone();
            assertThat(send(expected.address(), yes)).isEqualTo(200);
            assertThat(expected.accepted().get(1, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static int send(URI address, String message) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .POST(BodyPublishers.ofString(message))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private AgreementClient client() {
        return new AgreementClient(base(), Duration.ofSeconds(20));
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private HttpServer start() {
        try {
            var made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            made.createContext("/", exchange -> {
                authorization.set(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("Content-Type", type);
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            made.start();
            return made;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
