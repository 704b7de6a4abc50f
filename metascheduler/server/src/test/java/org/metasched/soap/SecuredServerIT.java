package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.client.xml.XmlNames;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.Quotas;
import org.metasched.trust.Role;
import org.metasched.trust.TokenVerifier;
import org.metasched.trust.TokenVerifier.Issuer;

/** A closed server over TLS: who speaks, and what that opens. */
@Tag("full")
class SecuredServerIT {

    private static final Path SHARED =
            Path.of(System.getProperty("metasched.shared", "missing")).resolve("security");
    private static final String ALICE = "/DC=org/DC=example/O=Test/CN=Alice Liddell";
    private static final String BOB = "/DC=org/DC=example/O=Test/CN=Bob";
    private static final String ISSUER = "https://issuer.example.org/testvo";

    @TempDir
    private static Path vectors;

    private static ChainVerifier chains;
    private static WsagServer server;

    @BeforeAll
    static void serve() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(SHARED.resolve("make-vectors.sh")), "the shared security vectors are not here");
        var made = new ProcessBuilder("sh", SHARED.resolve("make-vectors.sh").toString(), vectors.toString())
                .redirectErrorStream(true)
                .redirectOutput(vectors.resolve("log").toFile())
                .start();
        Assumptions.assumeTrue(made.waitFor() == 0, "openssl, python3 or keytool cannot make the vectors");
        var now = Instant.ofEpochSecond(
                Long.parseLong(Files.readString(vectors.resolve("now.txt")).strip()));
        chains = new ChainVerifier(vectors.resolve("certificates"));
        server = new WsagServer(new Authentication(
                Optional.of(new Authentication.Tls(vectors.resolve("server.pem"), vectors.resolve("server.key"))),
                Optional.of(chains),
                Optional.of(new TokenVerifier(
                        List.of(new Issuer(ISSUER, vectors.resolve("jwks.json").toUri(), Duration.ofHours(6), false)),
                        Set.of("https://metasched.example.org"),
                        Clock.fixed(now, ZoneOffset.UTC))),
                Optional.empty(),
                true,
                new Authorizer(
                        new AccessPolicy(new People(Map.of(Role.OPERATOR, Set.of(BOB)), List.of(), false), List.of()),
                        Quotas.NONE,
                        AuditLog.NONE)));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            chains.close();
        }
    }

    @Test
    void aStrangerSeesTheServiceDescriptionAndNothingElse() throws Exception {
        assertThat(get(client(""), "/services/AgreementFactory?wsdl").body()).contains("AgreementFactoryService");
        for (String path : List.of("/", "/console", "/sites", "/metrics", "/services/AgreementFactory?wsdl&x=1")) {
            assertThat(get(client(""), path).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(post(client(""), "AgreementFactory", offer("x", ""), "").statusCode())
                .isEqualTo(401);
    }

    @Test
    void theOwnerOfACertificateIsTheInitiatorAndNobodyElseSeesOrEndsTheAgreement() throws Exception {
        var alice = client("alice.p12");
        var made = post(alice, "AgreementFactory", offer("owned", ALICE), "");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        String id = idIn(made.body());

        String token = token("ok-rs256");
        assertThat(post(client(""), "Agreement/" + id, properties(), token).body())
                .contains("AGREEMENT_UNKNOWN");
        assertThat(post(client(""), "Agreement/" + id, terminate(), token).body())
                .as("a token without compute.cancel")
                .contains("NOT_ALLOWED");
        assertThat(post(alice, "Agreement/" + id, properties(), "").body()).contains(">" + id + "<");
        assertThat(post(client("proxy1.p12"), "Agreement/" + id, properties(), "")
                        .body())
                .contains(">" + id + "<");
        assertThat(post(client("bob.p12"), "Agreement/" + id, terminate(), "").body())
                .contains("TerminateResponse");
    }

    @Test
    void anOfferMayNotNameAnotherInitiator() throws Exception {
        assertThat(post(client("alice.p12"), "AgreementFactory", offer("stolen", BOB), "")
                        .body())
                .contains("OFFER_INVALID", "must be the sender");
    }

    @Test
    void aNameOfAnOfferIsTakenForItsInitiatorAlone() throws Exception {
        String bobs = idIn(post(client("bob.p12"), "AgreementFactory", offer("squatted", BOB), "")
                .body());
        var alices = post(client("alice.p12"), "AgreementFactory", offer("squatted", ALICE), "");

        assertThat(alices.statusCode()).as(alices.body()).isEqualTo(200);
        assertThat(idIn(alices.body())).isNotEqualTo(bobs);
    }

    @Test
    void aTokenDoesWhatItsScopesSay() throws Exception {
        var made = post(client(""), "AgreementFactory", offer("by-token", ""), token("ok-es256"));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        String own = "Agreement/" + idIn(made.body());

        assertThat(post(client(""), own, properties(), token("scope-read-only")).statusCode())
                .isEqualTo(200);
        assertThat(post(client(""), own, terminate(), token("scope-read-only")).body())
                .contains("NOT_ALLOWED", "Sender");
        assertThat(post(client(""), "AgreementFactory", offer("r", ""), token("scope-read-only"))
                        .body())
                .contains("NOT_ALLOWED");
    }

    @Test
    void aCredentialThatProvesNothingIsRefusedWithoutAReason() throws Exception {
        for (String bad :
                List.of("attack-none", "bad-expired", "bad-aud", "attack-hs-with-pem", "attack-foreign-key")) {
            var answer = post(client(""), "AgreementFactory", offer("x", ""), token(bad));

            assertThat(answer.statusCode()).as(bad).isEqualTo(401);
            assertThat(answer.body()).doesNotContain("signature", "audience", "expire");
        }
        for (String bad : List.of("revoked.p12", "expired.p12", "evilalice.p12", "viasub.p12")) {
            assertThat(statusOrBrokenHandshake(bad)).as(bad).isEqualTo(401);
        }
        assertThat(post(client("alice.p12"), "AgreementFactory", offer("x", ""), token("ok-rs256"))
                        .statusCode())
                .as("two credentials")
                .isEqualTo(401);
    }

    @Test
    void pagesAreForOperators() throws Exception {
        assertThat(get(client("alice.p12"), "/metrics").statusCode()).isEqualTo(403);
        assertThat(get(client("bob.p12"), "/metrics").statusCode()).isEqualTo(405);
    }

    /** A client may keep back a certificate that the server's authorities did not issue: then it is nobody. */
    private static int statusOrBrokenHandshake(String store) throws Exception {
        try {
            return post(client(store), "AgreementFactory", offer("x", ""), "").statusCode();
        } catch (IOException e) {
            return 401;
        }
    }

    private static HttpResponse<String> get(HttpClient client, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.server.base() + path)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(HttpClient client, String service, String message, String token)
            throws Exception {
        var request = HttpRequest.newBuilder(server.server.service(service))
                .header("Content-Type", "application/soap+xml; charset=utf-8")
                .POST(BodyPublishers.ofString(message));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String token(String name) throws Exception {
        for (String line : Files.readAllLines(vectors.resolve("tokens.jsonl"))) {
            var matcher = Pattern.compile("\"case\": \"" + name + "\", \"jwt\": \"([^\"]*)\"")
                    .matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static String offer(String id, String initiator) throws Exception {
        return WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", id)
                .replaceFirst(
                        "<wsag:AgreementInitiator>[^<]*</wsag:AgreementInitiator>",
                        initiator.isEmpty()
                                ? ""
                                : "<wsag:AgreementInitiator>" + initiator + "</wsag:AgreementInitiator>");
    }

    private static String properties() {
        return envelope("<rp:GetResourcePropertyDocument xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\"/>");
    }

    private static String terminate() {
        return envelope("<w:TerminateInput xmlns:w=\"" + XmlNames.WSAG + "\"><x xmlns=\"urn:x\"/></w:TerminateInput>");
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    private static String idIn(String body) {
        var matcher = Pattern.compile("ResourceId[^>]*>([^<]+)<").matcher(body);
        assertThat(matcher.find()).as(body).isTrue();
        return matcher.group(1);
    }

    /** @param store of the client's certificate, or nothing */
    private static HttpClient client(String store) throws Exception {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store("trust.p12"));
        var keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(store.isEmpty() ? null : store(store), "changeit".toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static KeyStore store(String name) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(vectors.resolve(name))) {
            store.load(in, "changeit".toCharArray());
        }
        return store;
    }
}
