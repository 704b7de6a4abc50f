package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.durable.ReloadedFile;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.PasswordFile;

/** Files that change while a server runs, as its callers and its {@code /metrics} see them: in use within five seconds, whole or not at all. */
@Tag("full")
class ChangedFilesTest {

    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final String FAILED = "metasched_files_reload_failed";
    private static final String RESTART = "metasched_files_restart_needed";
    private static final String EXPIRES = "metasched_certificate_expires_seconds";
    private static final String ISSUER = "https://issuer.example.org/vo";
    private static final String AUDIENCE = "https://grid.example.org";

    @TempDir
    private Path folder;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(ReloadedFile.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            log.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private Path file;
    private String settings;
    private DemoAuthority authority;
    private Tls own;
    private Path keys;
    private Path passwords;
    private RSAKey key;
    private HttpClient operator;
    private HttpClient stranger;
    private ServerAssembly server;
    private double failedBefore;
    private double restartBefore;

    @BeforeEach
    void serve() throws Exception {
        // The figure is of the process, in which other tests had files that are gone.
        System.gc();
        ReloadedFile.lookAtAll();
        authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        own = authority.member("server");
        key = new RSAKeyGenerator(2048).keyID("k1").generate();
        keys = Files.writeString(folder.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        passwords = Files.writeString(folder.resolve("passwords"), lines("secret"));
        operator = client(Optional.of(authority.member("operator")));
        stranger = client(Optional.empty());
        settings = """
                        port: 0
                        data: %s
                        drain: 1s
                        adapters: %s
                        sites: [{site: fzj, scheduler: {type: simulated, nodes: 4}, policy: {rules: [{name: small, most-nodes: 2}]}}]
                        security:
                          certificate: %s
                          key: %s
                          authorities: %s
                          anonymous: false
                          audiences: ['%s']
                          issuers: [{url: '%s', keys: '%s'}]
                          passwords: %s
                          roles: {operator: ['%s']}
                        """.formatted(
                        folder.resolve("server"),
                        Files.createDirectory(folder.resolve("adapters")),
                        own.certificate(),
                        own.key(),
                        authority.directory(),
                        AUDIENCE,
                        ISSUER,
                        keys,
                        passwords,
                        DemoAuthority.subjectOf("operator"));
        file = Files.writeString(folder.resolve("server.yaml"), settings);
        server = ServerAssembly.start(ConfigurationFile.read(file), Clock.systemUTC());
        logger.addHandler(handler);
        failedBefore = metric(FAILED);
        restartBefore = metric(RESTART);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
        server.close();
    }

    @Test
    void aCertificateThatCannotBeReadIsToldAndTheOldOneServedUntilItIsRenewed() throws Exception {
        BigInteger before = serial();
        double left = metric(EXPIRES);
        assertThat(left).isPositive();

        Files.writeString(own.certificate(), "garbage");
        soon().until(() -> metric(FAILED) == failedBefore + 1);
        assertThat(log)
                .anySatisfy(line ->
                        assertThat(line).contains(own.certificate().toString(), "its former content stays in force"));
        assertThat(serial()).isEqualTo(before);
        assertThat(metric(EXPIRES)).isPositive().isLessThanOrEqualTo(left);

        authority.member("server");
        soon().until(() -> !serial().equals(before));
        soon().until(() -> metric(FAILED) == failedBefore);
        assertThat(log).contains(own.certificate() + " has changed and is in use");
    }

    @Test
    void aKeySetIsTakenWholeOrNotAtAll() throws Exception {
        String old = token(key);
        assertThat(byToken(old)).isEqualTo(200);
        var next = new RSAKeyGenerator(2048).keyID("k2").generate();
        String whole = new JWKSet(next.toPublicJWK()).toString();
        assertThat(byToken(token(next))).isEqualTo(401);

        Files.writeString(keys, whole.substring(0, whole.length() - 2));
        soon().until(() -> metric(FAILED) == failedBefore + 1);
        assertThat(byToken(token(key))).isEqualTo(200);
        assertThat(byToken(token(next))).isEqualTo(401);

        Files.writeString(keys, whole);
        soon().until(() -> byToken(token(next)) == 200);
        assertThat(byToken(old)).as("a token that was right before").isEqualTo(401);
        soon().until(() -> metric(FAILED) == failedBefore);
    }

    @Test
    void aPasswordFileIsTakenWholeOrNotAtAll() throws Exception {
        assertThat(logIn("carol", "secret")).isEqualTo(303);
        String whole = lines("changed");

        Files.writeString(passwords, whole.substring(0, whole.length() - 8));
        soon().until(() -> metric(FAILED) == failedBefore + 1);
        assertThat(logIn("carol", "changed"))
                .as("the line before the broken one")
                .isEqualTo(403);
        assertThat(logIn("carol", "secret")).isEqualTo(303);

        Files.writeString(passwords, whole);
        soon().until(() -> metric(FAILED) == failedBefore);
        assertThat(logIn("carol", "changed")).isEqualTo(303);
        assertThat(logIn("dan", "changed")).isEqualTo(303);
        assertThat(logIn("carol", "secret")).isEqualTo(403);
    }

    @Test
    void rulesAndRolesAreTakenWholeOrNotAtAll() throws Exception {
        assertThat(byToken(token(key))).isEqualTo(200);

        Files.writeString(file, settings + "  rules: [{name: shut, deny: ['GET /api/v1/*']}]\n");
        soon().until(() -> byToken(token(key)) == 403);
        assertThat(log).contains(file + " has changed and is in use");
        assertThat(metric(RESTART)).isEqualTo(restartBefore);

        Files.writeString(file, settings.replace("most-nodes: 2", "most-nodes: many"));
        soon().until(() -> metric(FAILED) == failedBefore + 1);
        assertThat(byToken(token(key))).as("the rules before").isEqualTo(403);
        assertThat(log)
                .anySatisfy(line -> assertThat(line).contains(file + ":", "many", "its former content stays in force"));

        Files.writeString(file, settings + "  quotas: {requests-per-second: 1}\n");
        soon().until(() -> metric(FAILED) == failedBefore);
        soon().until(() -> byToken(token(key)) == 429);

        Files.writeString(file, settings.replace("roles: {", "roles: {auditor: ['" + ISSUER + ",alice'], "));
        soon().until(() -> rolesByToken().contains("auditor"));
    }

    @Test
    void thePolicyOfASiteIsInForceWhenItIsWritten() throws Exception {
        assertThat(offer(2)).startsWith("201 ");
        assertThat(offer(3)).startsWith("409 ").contains("rule small");

        Files.writeString(file, settings.replace("most-nodes: 2", "most-nodes: 1"));
        soon().until(() -> log.contains(file + " has changed and is in use"));
        assertThat(offer(2)).startsWith("409 ").contains("rule small");
        assertThat(offer(1)).startsWith("201 ");
    }

    @Test
    void whatNeedsARestartIsToldUntilItIsAsItWas() throws Exception {
        Files.writeString(file, settings.replace("drain: 1s", "drain: 2s"));
        soon().until(() -> metric(RESTART) == restartBefore + 1);
        assertThat(log).contains(file + " differs from its state at the start in a part that needs a restart");
        Path jar = Files.writeString(folder.resolve("adapters/more.jar"), "");
        soon().until(() -> metric(RESTART) == restartBefore + 2);

        Files.writeString(file, settings);
        Files.delete(jar);
        soon().until(() -> metric(RESTART) == restartBefore);
        assertThat(metric(FAILED)).isEqualTo(failedBefore);
    }

    /** Files and folders that the settings name, without what the server writes itself. */
    @Test
    void everyFileOfTheSettingsIsWatched() {
        var watched = ReloadedFile.statuses().stream()
                .map(status -> status.file().toString())
                .toList();
        var named = Pattern.compile(Pattern.quote(folder.toString()) + "[^\\s',}]*")
                .matcher(settings)
                .results()
                .map(MatchResult::group)
                .filter(path -> !path.equals(folder.resolve("server").toString()))
                // Read with its certificate.
                .filter(path -> !path.equals(own.key().toString()))
                .toList();

        assertThat(named).hasSize(5);
        assertThat(watched).containsAll(named).contains(file.toString());
    }

    private static ConditionFactory soon() {
        return await().atMost(WITHIN);
    }

    private static String lines(String password) {
        return PasswordFile.line("carol", password, 100_000) + "\n" + PasswordFile.line("dan", password, 100_000)
                + "\n";
    }

    private String rolesByToken() throws Exception {
        return get(stranger, request("/api/v1/me").header("Authorization", "Bearer " + token(key)))
                .body();
    }

    private String offer(int nodes) throws Exception {
        var answer = get(
                operator,
                request("/api/v1/agreements")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(
                                "{\"parts\":[{\"site\":\"fzj\",\"nodes\":" + nodes + "}],\"duration\":\"PT1M\"}")));
        return answer.statusCode() + " " + answer.body();
    }

    private double metric(String name) throws Exception {
        var page = get(operator, request("/metrics"));
        assertThat(page.statusCode()).isEqualTo(200);
        var line = Pattern.compile("^" + name + " (.*)$", Pattern.MULTILINE).matcher(page.body());
        assertThat(line.find()).as(page.body()).isTrue();
        return Double.parseDouble(line.group(1));
    }

    private int byToken(String token) throws Exception {
        return get(stranger, request("/api/v1/agreements").header("Authorization", "Bearer " + token))
                .statusCode();
    }

    private int logIn(String name, String password) throws Exception {
        return get(
                        stranger,
                        request("/console/login")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .header("Origin", server.base().toString())
                                .POST(BodyPublishers.ofString("name=" + name + "&password=" + password)))
                .statusCode();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.base().resolve(path));
    }

    private static HttpResponse<String> get(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private BigInteger serial() throws Exception {
        var factory = credentials(Optional.empty()).tls().orElseThrow().getSocketFactory();
        try (var socket = (SSLSocket) factory.createSocket(
                InetAddress.getLoopbackAddress(), server.base().getPort())) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    private HttpClient client(Optional<Tls> caller) {
        return HttpClient.newBuilder()
                .sslContext(credentials(caller).tls().orElseThrow())
                .build();
    }

    private ClientCredentials credentials(Optional<Tls> caller) {
        return new ClientCredentials(caller, Optional.of(authority.authorities()), Optional.empty());
    }

    private static String token(RSAKey signer) throws Exception {
        var now = Instant.now();
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(signer.getKeyID())
                        .build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .subject("alice")
                        .audience(List.of(AUDIENCE))
                        .jwtID(UUID.randomUUID().toString())
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
                        .claim("wlcg.ver", "1.0")
                        .claim("scope", "compute.read")
                        .build());
        token.sign(new RSASSASigner(signer));
        return token.serialize();
    }
}
