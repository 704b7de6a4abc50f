package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.Quotas;
import org.metasched.trust.ReplayCache;
import org.metasched.trust.Signing;

/** A closed server that takes signatures and passwords in messages. */
@Tag("full")
class SignedMessagesTest {

    @TempDir
    private static Path folder;

    private static ChainVerifier chains;
    private static WsagServer server;
    private static Signing alice;
    private static HttpClient anonymous;
    private static HttpClient asAlice;
    private static HttpClient asBob;
    private static HttpClient asEve;

    @BeforeAll
    static void serve() throws Exception {
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        chains = new ChainVerifier(authority.directory());
        Path passwords = folder.resolve("passwords");
        Files.writeString(passwords, PasswordFile.line("carol", "secret", 100_000) + "\n");
        server = new WsagServer(new Authentication(
                Optional.of(authority.member("server")),
                Optional.of(chains),
                Optional.empty(),
                Optional.of(new MessageVerifier(
                        Optional.of(chains),
                        Optional.of(new PasswordFile(passwords)),
                        ReplayCache.inThisProcess(Clock.systemUTC()),
                        Clock.systemUTC())),
                true,
                new Authorizer(
                        new AccessPolicy(People.CLOSED, List.of()),
                        new Quotas(new Quotas.Limits(2, 20, 1_000, 1e9, 10, 1 << 20), Map.of()),
                        AuditLog.NONE)));
        var files = authority.member("alice");
        alice = new Signing(files);
        anonymous = client(authority, Optional.empty());
        asAlice = client(authority, Optional.of(files));
        asBob = client(authority, Optional.of(authority.member("bob")));
        asEve = client(authority, Optional.of(authority.member("eve")));
    }

    static HttpClient client(DemoAuthority authority, Optional<Authentication.Tls> own) {
        return HttpClient.newBuilder()
                .sslContext(new ClientCredentials(own, Optional.of(authority.authorities()), Optional.empty())
                        .tls()
                        .orElseThrow())
                .build();
    }

    @AfterAll
    static void stop() {
        server.close();
        chains.close();
    }

    @Test
    void theSignerIsTheInitiatorWhoeverCarriesTheMessage() throws Exception {
        var made = post(anonymous, "AgreementFactory", signed("signed"));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);

        String id = idIn(made.body());
        assertThat(post(asAlice, "Agreement/" + id, properties()).body()).contains(">" + id + "<");
        assertThat(post(asBob, "Agreement/" + id, properties()).body()).contains("AGREEMENT_UNKNOWN");
    }

    @Test
    void aMessageIsTakenOnceAndWhatIsProcessedIsWhatWasSigned() throws Exception {
        int before = server.agreements.newest(100).size();
        String once = signed("once");
        assertThat(post(anonymous, "AgreementFactory", once).statusCode()).isEqualTo(200);
        assertThat(post(anonymous, "AgreementFactory", once).statusCode()).isEqualTo(401);

        String wrapped = signed("wrapped");
        String body = wrapped.substring(wrapped.indexOf("<s:Body"), wrapped.indexOf("</s:Body>") + 9);
        String evil = body.replaceFirst("<s:Body[^>]*>", "<s:Body>").replace("wrapped", "evil");
        var answer = post(
                anonymous,
                "AgreementFactory",
                wrapped.replace(body, evil).replace("</s:Header>", "<w xmlns=\"urn:w\">" + body + "</w></s:Header>"));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("NOT_ALLOWED").doesNotContain("wrap", "cover", "signature");
        assertThat(server.agreements.newest(100)).hasSize(before + 1);
    }

    @Test
    void aMessageThatIsNoXmlIsRefusedBesideASignature() throws Exception {
        for (String message : List.of(
                signed("tail") + "x",
                signed("second") + "<x/>",
                signed("cut").replace("</s:Envelope>", ""),
                signed("typed").replaceFirst("(?=<s:Envelope)", "<!DOCTYPE s:Envelope>"),
                signed("entity").replace("<s:Header>", "<s:Header><x:n xmlns:x='urn:x'>2&x;3</x:n>"))) {
            assertThat(post(anonymous, "AgreementFactory", message).body())
                    .as(message)
                    .contains("MESSAGE_INVALID");
        }
    }

    @Test
    void twoProofsMustBeOfTheSameSubject() throws Exception {
        assertThat(post(asAlice, "AgreementFactory", signed("both")).statusCode())
                .isEqualTo(200);
        assertThat(post(asBob, "AgreementFactory", signed("carried")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aNameWithItsPasswordIsAnInitiator() throws Exception {
        assertThat(post(anonymous, "AgreementFactory", withPassword("carol", "secret"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(post(anonymous, "AgreementFactory", withPassword("carol", "guess"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(post(asAlice, "AgreementFactory", withPassword("carol", "secret"))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void withoutAnyProofAMessageIsRefused() throws Exception {
        assertThat(post(anonymous, "AgreementFactory", offer("none")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void whoAsksTooOftenIsToldWhenToComeAgain() throws Exception {
        var answer = post(asEve, "Agreement/none", properties());
        for (int i = 0; i < 500 && !answer.body().contains("BUSY"); i++) {
            answer = post(asEve, "Agreement/none", properties());
        }

        assertThat(answer.body()).contains("BUSY");
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    }

    private static String signed(String id) throws Exception {
        return Signing.text(alice.sign(Signing.parse(offer(id)
                .replace(
                        "<s:Header>",
                        "<s:Header><wsa:To>" + server.server.service("AgreementFactory") + "</wsa:To>"))));
    }

    private static String withPassword(String name, String password) throws Exception {
        return offer("by-" + password).replace("</s:Header>", PasswordHeader.of(name, password) + "</s:Header>");
    }

    private static String offer(String id) throws Exception {
        return WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", id)
                .replaceFirst("<wsag:AgreementInitiator>[^<]*</wsag:AgreementInitiator>", "");
    }

    private static String properties() {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body>"
                + "<rp:GetResourcePropertyDocument xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\"/>"
                + "</s:Body></s:Envelope>";
    }

    private static String idIn(String body) {
        var matcher = Pattern.compile("ResourceId[^>]*>([^<]+)<").matcher(body);
        assertThat(matcher.find()).as(body).isTrue();
        return matcher.group(1);
    }

    private static HttpResponse<String> post(HttpClient client, String service, String message) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.server.service(service))
                        .header("Content-Type", "application/soap+xml; charset=utf-8")
                        .POST(BodyPublishers.ofString(message))
                        .build(),
                BodyHandlers.ofString());
    }
}
