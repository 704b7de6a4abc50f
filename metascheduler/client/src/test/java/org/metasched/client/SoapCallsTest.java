package org.metasched.client;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a service that is not one, and callers that are no responder. */
class SoapCallsTest {

    private static final String SOAP = "application/soap+xml";

    @RegisterExtension
    private final WireMockExtension server = WireMockExtension.newInstance().build();

    @Test
    void whatIsNoAnswerIsSaidInWords() {
        answers(401, SOAP, "");
        assertThatThrownBy(client()::templates).hasMessageContaining("wants a certificate or a token");
        answers(404, SOAP, "");
        assertThatThrownBy(client()::templates).hasMessageContaining("no such service");
        answers(200, "text/html", "");
        assertThatThrownBy(client()::templates).isInstanceOf(IOException.class).hasMessageContaining("HTTP status 200");
        answers(200, SOAP, "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>");
        assertThatThrownBy(client()::templates).isInstanceOf(IOException.class).hasMessageContaining("DOCTYPE");
        answers(200, SOAP, "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body/></e:Envelope>");
        assertThatThrownBy(client()::templates).hasMessageContaining("no SOAP message");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void anAnswerThatBreaksOffIsAnIoException(Fault fault) {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));

        assertThatThrownBy(client()::templates).isInstanceOf(IOException.class);
    }

    @Test
    void aPlainFaultHasItsReasonAndNoCode() {
        answers(
                500,
                SOAP,
                "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body><e:Fault><e:Reason>"
                        + "<e:Text>not today</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>");

        assertThatThrownBy(client()::templates).isInstanceOfSatisfying(AgreementFaultException.class, fault -> {
            assertThat(fault.code()).isEmpty();
            assertThat(fault.descriptions()).containsExactly("not today");
        });
    }

    /** So the service's authorizer says it, and a service that failed. */
    @ParameterizedTest
    @CsvSource({
        "BUSY: 3 offers at once, BUSY, 3 offers at once",
        "Not so: no, '', Not so: no",
        "NOT_ALLOWED, '', NOT_ALLOWED",
        ": x, '', : x"
    })
    void aPlainFaultWhoseReasonBeginsWithACodeHasIt(String reason, String code, String description) {
        answers(500, SOAP, envelope("<e:Fault><e:Reason><e:Text>" + reason + "</e:Text></e:Reason></e:Fault>"));

        assertThatThrownBy(client()::templates).isInstanceOfSatisfying(AgreementFaultException.class, fault -> {
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.descriptions()).containsExactly(description);
        });
    }

    /** Nodes are reserved by then: whatever goes wrong with the next call, the caller gets the id by which to end the agreement. */
    @ParameterizedTest
    @ValueSource(strings = {"<e:Fault><e:Reason><e:Text>BUSY</e:Text></e:Reason></e:Fault>", "<x/>", "<x><y/></x>", ""})
    void anAgreementThatIsMadeAndCannotBeShownIsNamed(String state) {
        answers(state.isEmpty() ? 404 : 200, SOAP, envelope(state));
        String reference = "<w:CreateAgreementResponse xmlns:w='http://schemas.ggf.org/graap/2007/03/ws-agreement'"
                + " xmlns:a='http://www.w3.org/2005/08/addressing' xmlns:m='urn:metasched:agreement:1'>"
                + "<w:CreatedAgreementEPR><a:Address>http://x/</a:Address><a:ReferenceParameters><m:ResourceId>ag-1"
                + "</m:ResourceId></a:ReferenceParameters></w:CreatedAgreementEPR></w:CreateAgreementResponse>";
        server.stubFor(post("/services/AgreementFactory")
                .willReturn(aResponse().withHeader("Content-Type", SOAP).withBody(envelope(reference))));
        var offer = AgreementClient.offer(
                "offer",
                "<w:AgreementOffer xmlns:w='http://schemas.ggf.org/graap/2007/03/ws-agreement'><w:Context/></w:AgreementOffer>");

        assertThatThrownBy(() -> client().create(offer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ag-1");
        assertThatThrownBy(() -> client().createPending(offer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ag-1");
    }

    private static String envelope(String content) {
        return "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body>" + content
                + "</e:Body></e:Envelope>";
    }

    @Test
    void aProofIsSentWithEachCall() {
        answers(404, SOAP, "");
        var client = new AgreementClient(
                base(),
                Duration.ofSeconds(20),
                new Credentials(Optional.empty(), target -> Optional.of("Bearer for " + target.getPath())));

        assertThatThrownBy(client::templates).isInstanceOf(IOException.class);
        server.verify(anyRequestedFor(anyUrl())
                .withHeader("Authorization", equalTo("Bearer for /services/AgreementFactory")));
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
        try (var acceptances = AcceptanceListener.listen(
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

    @Test
    void aCallerThatSendsHalfAMessageHoldsUpNoDecision() throws Exception {
        try (var acceptances = AcceptanceListener.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "http://127.0.0.1:PORT");
                var slow = new Socket()) {
            var expected = acceptances.expect();
            slow.connect(new InetSocketAddress("127.0.0.1", expected.address().getPort()));
            slow.getOutputStream().write("POST / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(send(expected.address(), "no XML")).isEqualTo(400);
        }
    }

    private static int send(URI address, String message) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .timeout(Duration.ofSeconds(20))
                                .POST(BodyPublishers.ofString(message))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private AgreementClient client() {
        return new AgreementClient(base(), Duration.ofSeconds(20));
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    private void answers(int status, String type, String body) {
        server.stubFor(any(anyUrl())
                .willReturn(aResponse()
                        .withStatus(status)
                        .withHeader("Content-Type", type)
                        .withBody(body)));
    }
}
