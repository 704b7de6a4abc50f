package org.metasched.it;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.trust.PasswordFile;

/** People sign in to the console with the password of a local file, and by a provider of OpenID Connect. */
@Tag("full")
class LogInTest {

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final WireMockExtension provider =
            WireMockExtension.newInstance().build();

    private static ConsoleServer server;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(cookies).build();

    @BeforeAll
    static void serve() throws Exception {
        String at = "http://127.0.0.1:" + provider.getPort();
        var passwords = Files.writeString(folder.resolve("passwords"), lines("secret"));
        server = new ConsoleServer(
                folder,
                "  - {site: fzj, scheduler: {type: simulated, nodes: 4}}",
                "  passwords: " + passwords + "\n  openid: {client: console, authorize: '" + at
                        + "/authorize', token: '" + at + "/token'}",
                Clock.systemUTC());
    }

    private static String lines(String ofCarol) {
        return PasswordFile.line("carol", ofCarol, 100_000) + "\n" + PasswordFile.line("dan", "secret", 100_000) + "\n";
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aPasswordBeginsASessionThatANewPasswordEnds() throws Exception {
        assertThat(post("name=carol&password=wrong").statusCode()).isEqualTo(403);
        assertThat(post("name=dave&password=secret").statusCode()).isEqualTo(403);

        assertThat(post("name=carol&password=secret").statusCode()).isEqualTo(303);

        assertThat(get("/console").body()).contains(">carol</span>", "Sign out");
        String cookie = cookies.getCookieStore().getCookies().stream()
                .filter(c -> c.getName().equals("metasched-session"))
                .findFirst()
                .orElseThrow()
                .getValue();
        var parts = cookie.split("[.]");
        String later = parts[0] + "." + parts[1] + "." + (Long.parseLong(parts[2]) + 1) + "." + parts[3];
        for (String forged : new String[] {later, "password.x.y", "password..1."}) {
            var answer = HttpClient.newHttpClient()
                    .send(
                            request("/console")
                                    .header("Cookie", "metasched-session=" + forged)
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(forged).isEqualTo(302);
        }
        Path file = folder.resolve("passwords");
        var before = Files.getLastModifiedTime(file);
        Files.writeString(file, lines("another"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 2_000));
        assertThat(get("/console").statusCode()).isEqualTo(302);
    }

    @Test
    void tooManyWrongPasswordsForANameAreNotTried() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(post("name=dan&password=no").statusCode()).isEqualTo(403);
        }

        assertThat(post("name=dan&password=secret").statusCode()).isEqualTo(403);
    }

    /** A log-in stands in the record once: refused as denied, taken as allowed for the person, whatever the credential. */
    @Test
    void aLogInIsRecordedOnceByItsOutcome() throws Exception {
        int before = logIns().size();

        assertThat(post("name=fay&password=guess").statusCode()).isEqualTo(403);
        assertThat(post("token=none").statusCode()).isEqualTo(403);
        assertThat(get("/console/login?code=c0de&state=none").statusCode()).isEqualTo(403);
        assertThat(post("token=" + server.token("bob")).statusCode()).isEqualTo(303);

        assertThat(logIns().subList(before, logIns().size()))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("\"outcome\":\"denied\"", "(password) is refused", "\"kind\":\"anonymous\""),
                        line -> assertThat(line).contains("\"outcome\":\"denied\"", "(token) is refused"),
                        line -> assertThat(line).contains("\"outcome\":\"denied\"", "(OpenID) is refused"),
                        line -> assertThat(line)
                                .contains("\"outcome\":\"allowed\"", "\"who\":\"" + ConsoleServer.ISSUER + ",bob\""));
    }

    private static List<String> logIns() throws Exception {
        return Files.readAllLines(folder.resolve("data/audit/audit-000001.jsonl")).stream()
                .filter(line -> line.contains(" /console/login\""))
                .toList();
    }

    /** A guess is a denial in the record with its door, method and reason. */
    @Test
    void refusedCredentialsAreDenialsInTheRecord() throws Exception {
        assertThat(post("name=erin&password=guess").statusCode()).isEqualTo(403);
        var forged = server.token("alice").replaceFirst("[.][^.]*$", ".e30");
        for (String door : List.of("/api/v1/agreements", "/services/AgreementFactory")) {
            var answer = browser.send(
                    request(door)
                            .header("Authorization", "Bearer " + forged)
                            .POST(BodyPublishers.ofString("{}"))
                            .build(),
                    BodyHandlers.discarding());
            assertThat(answer.statusCode()).as(door).isEqualTo(401);
        }

        var lines = Files.readAllLines(folder.resolve("data/audit/audit-000001.jsonl"));
        assertThat(lines)
                .anyMatch(line -> line.contains("\"what\":\"POST /console/login\"")
                        && line.contains("\"outcome\":\"denied\"")
                        && line.contains("credential (password) is refused: the password of (erin) is not taken"));
        assertThat(lines.stream()
                        .filter(line -> !line.contains("/console/login")
                                && line.contains("\"from\":\"127.0.0.1:")
                                && line.contains("\"outcome\":\"denied\"")
                                && line.contains("credential (token) is refused: "))
                        .map(line -> line.replaceFirst(".*\"what\":\"([^\"]*).*", "$1")))
                .containsExactlyInAnyOrder("POST /api/v1/*", "POST /services/*");
    }

    @Test
    void aProviderOfOpenIdSignsAPersonIn() throws Exception {
        var sent = leave();

        answers(okJson(tokens("alice", "console", sent.get("nonce"), "alice")));
        var back = get("/console/login?code=c0de&state=" + sent.get("state"));

        assertThat(back.body()).contains("http-equiv=\"refresh\"");
        var exchanged = fields(
                provider.findAll(postRequestedFor(urlEqualTo("/token"))).get(0).getBodyAsString());
        assertThat(exchanged).containsEntry("code", "c0de").containsEntry("grant_type", "authorization_code");
        assertThat(challenge(exchanged.get("code_verifier"))).isEqualTo(sent.get("code_challenge"));
        assertThat(get("/console").body()).contains(ConsoleServer.ISSUER + ",alice");
    }

    @Test
    void whatTheProviderDidNotSayForThisLogInIsNotTaken() throws Exception {
        for (String wrong : new String[] {"state", "nonce", "client", "subject", "json"}) {
            var sent = leave();
            answers(okJson(
                    wrong.equals("json")
                            ? "<html>"
                            : tokens(
                                    "alice",
                                    wrong.equals("client") ? "another" : "console",
                                    wrong.equals("nonce") ? "another" : sent.get("nonce"),
                                    wrong.equals("subject") ? "bob" : "alice")));
            String state = wrong.equals("state") ? "another" : sent.get("state");

            var back = get("/console/login?code=c0de&state=" + state);

            assertThat(back.statusCode()).as(wrong).isEqualTo(403);
            assertThat(get("/console").statusCode()).as(wrong).isEqualTo(302);
        }
    }

    /** A browser would drop the cookie without a word, and show the same page again. */
    @Test
    void anAccessTokenThatIsTooLongForACookieIsRefused() throws Exception {
        var sent = leave();
        String access = server.signed(
                "alice",
                "https://grid.example.org",
                ",\"jti\":\"long\",\"wlcg.ver\":\"1.0\",\"scope\":\"compute.read\",\"pad\":\"" + "x".repeat(3000)
                        + "\"");
        String identity = server.signed("alice", "console", ",\"nonce\":\"" + sent.get("nonce") + "\"");
        answers(okJson("{\"access_token\":\"" + access + "\",\"id_token\":\"" + identity + "\"}"));

        var back = get("/console/login?code=c0de&state=" + sent.get("state"));

        assertThat(back.statusCode()).isEqualTo(403);
        assertThat(back.body()).contains("must have at most 3800: browsers keep no longer cookies.");
        assertThat(logIns()).last().asString().contains("must have at most 3800");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aProviderThatBreaksItsAnswerOffLetsNoOneIn(Fault fault) throws Exception {
        var sent = leave();
        answers(aResponse().withFault(fault));

        var back = get("/console/login?code=c0de&state=" + sent.get("state"));

        assertThat(back.statusCode()).isEqualTo(403);
        assertThat(get("/console").statusCode()).isEqualTo(302);
    }

    @Test
    void aProviderThatStallsInItsAnswerHoldsNoThread() throws Exception {
        var sent = leave();
        answers(okJson("{\"access_token\":\"a\",\"id_token\":\"b\"}").withChunkedDribbleDelay(10, 60_000));
        long begin = System.nanoTime();

        var back = get("/console/login?code=c0de&state=" + sent.get("state"));

        assertThat(back.statusCode()).isEqualTo(403);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    }

    private static void answers(ResponseDefinitionBuilder answer) {
        provider.stubFor(
                com.github.tomakehurst.wiremock.client.WireMock.post("/token").willReturn(answer));
    }

    private Map<String, String> leave() throws Exception {
        var left = get("/console/login?with=openid");
        assertThat(left.statusCode()).isEqualTo(303);
        assertThat(left.headers().firstValue("Set-Cookie"))
                .hasValueSatisfying(c -> assertThat(c).contains("HttpOnly", "SameSite=Lax"));
        var sent = fields(
                URI.create(left.headers().firstValue("Location").orElseThrow()).getRawQuery());
        assertThat(sent).containsEntry("response_type", "code").containsEntry("code_challenge_method", "S256");
        return sent;
    }

    private static String tokens(String who, String client, String nonce, String whoseAccess) {
        String identity = server.signed(who, client, ",\"nonce\":\"" + nonce + "\"");
        return "{\"access_token\":\"" + server.token(whoseAccess) + "\",\"id_token\":\"" + identity + "\"}";
    }

    private static String challenge(String verifier) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    private static Map<String, String> fields(String form) {
        var fields = new HashMap<String, String>();
        Arrays.stream(form.split("&"))
                .map(field -> field.split("=", 2))
                .forEach(pair -> fields.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
        return fields;
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.base() + path)).header("Accept", "text/html");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return browser.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String form) throws Exception {
        return browser.send(
                request("/console/login")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }
}
