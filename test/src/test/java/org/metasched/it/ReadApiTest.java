package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.cli.Main;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The read API of a whole server against the contract that it serves. */
class ReadApiTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    @BeforeAll
    static void serve() throws Exception {
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                sites:
                  - site: fzj
                    scheduler: {type: simulated, nodes: 64}
                  - {site: silent, url: 'http://127.0.0.1:1/services/Site'}
                """.formatted(folder));
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
        for (int i = 0; i < 5; i++) {
            var err = new StringWriter();
            int exit = Main.execute(
                    new StringWriter(),
                    new PrintWriter(err, true),
                    "reserve",
                    "--site",
                    "fzj:nodes=1",
                    "--duration",
                    "1h",
                    "--server",
                    server.base().toString());
            assertThat(exit).as(err.toString()).isZero();
        }
        Main.execute(
                new StringWriter(),
                new PrintWriter(new StringWriter()),
                "reserve",
                "--site",
                "fzj:nodes=64",
                "--duration",
                "1h",
                "--deadline",
                "+30m",
                "--server",
                server.base().toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyAddressOfTheContractAnswersAsItSays() throws Exception {
        JsonNode contract = json("/api/v1/openapi.json");
        Awaitility.await().until(() -> json("/api/v1/ads").path("ads").size() > 0);
        String id = json("/api/v1/agreements")
                .path("agreements")
                .get(0)
                .path("agreementId")
                .asText();
        var taken = HTTP.send(
                HttpRequest.newBuilder(URI.create(server.base() + "/api/v1/matches"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"site\":\"fzj\",\"holder\":\"/dags/one\"}"))
                        .build(),
                BodyHandlers.ofString());
        String match = JSON.readTree(taken.body()).path("id").asText();

        contract.path("paths").fieldNames().forEachRemaining(path -> {
            JsonNode schema =
                    contract.path("paths").path(path).at("/get/responses/200/content/application~1json/schema");
            if (!schema.isMissingNode()) {
                String named = path.matches(".*/(matches|dags)/.*") ? match : id;
                String asked = path.replace("{id}", named).replace("{site}", "fzj");
                assertThat(problems(contract, schema, json(asked))).as(path).isEmpty();
            }
        });
        assertThat(json("/api/v1/sites").path("sites").findValuesAsText("state"))
                .containsExactly("up", "silent");
        assertThat(json("/sites").path("sites").findValuesAsText("site")).containsExactly("fzj", "silent");
        JsonNode first = json("/sites?limit=1");
        assertThat(first.path("sites").findValuesAsText("site")).containsExactly("fzj");
        JsonNode last = json("/sites?limit=1&after=" + first.path("next").asText());
        assertThat(last.path("sites").findValuesAsText("site")).containsExactly("silent");
        assertThat(last.has("next")).isFalse();
    }

    @Test
    void thePagesHaveEachAgreementOnce() {
        var seen = new ArrayList<String>();
        String after = "";
        do {
            JsonNode page = json("/api/v1/agreements?limit=2&state=Observed" + after);
            seen.addAll(page.path("agreements").findValuesAsText("agreementId"));
            after = page.has("next") ? "&after=" + page.path("next").asText() : "";
        } while (!after.isEmpty());

        assertThat(seen).hasSize(5).doesNotHaveDuplicates();
        assertThat(seen).isEqualTo(json("/api/v1/agreements").path("agreements").findValuesAsText("agreementId"));
        assertThat(json("/api/v1/agreements?state=rejected").path("agreements")).isEmpty();
    }

    @Test
    void aRefusedOfferIsShownWithItsReason() {
        JsonNode refused = json("/api/v1/refused?limit=1").path("refused").path(0);

        assertThat(refused.path("code").asText()).isEqualTo("TOO_LATE");
        assertThat(refused.path("reason").asText()).contains("deadline");
        assertThat(refused.path("parts").path(0).path("need").asText()).contains("64");
    }

    @Test
    void theConsoleShowsWhatIsTakenAsAnArea() throws Exception {
        assertThat(get("/console/picture").body().split("class=\"load\"", -1)).hasSize(2);
    }

    @Test
    void whatHasNotChangedIsNotSentAgain() throws Exception {
        String tag = get("/api/v1/agreements").headers().firstValue("ETag").orElseThrow();
        var again = HTTP.send(
                HttpRequest.newBuilder(URI.create(server.base() + "/api/v1/agreements"))
                        .header("If-None-Match", tag)
                        .build(),
                BodyHandlers.ofString());

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(get("/api/v1/agreements?limit=1").headers().firstValue("ETag"))
                .isPresent()
                .get()
                .isNotEqualTo(tag);
    }

    @Test
    void badQuestionsAreAnsweredWithASentence() throws Exception {
        for (var bad : List.of(
                "agreements?limit=0",
                "agreements?limit=many",
                "agreements?state=gone",
                "agreements?after=nobody",
                "agreements/%00")) {
            var answer = get("/api/v1/" + bad);
            assertThat(answer.statusCode()).as(bad).isEqualTo(400);
        }
        assertThat(get("/api/v1/agreements?limit=0").body()).contains("The limit (0) must be a number from 1 to 1000.");
        assertThat(get("/api/v1/agreements/none").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void metricsAreNamedByPromtoolsRulesAndAlertsNameThoseThatAreThere() throws Exception {
        String scrape = get("/metrics").body();
        var types = new TreeMap<String, String>();
        scrape.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" "))
                .forEach(words -> types.put(words[2], words[3]));

        assertThat(types).hasSizeGreaterThan(20).allSatisfy((name, type) -> {
            assertThat(scrape).contains("# HELP " + name + " ");
            assertThat(name)
                    .matches("[a-z][a-z0-9_]*")
                    .doesNotContainPattern("_(ns|us|ms|sec|min|hr|kb|mb|gb|percent)(_|$)");
            assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
            assertThat(name).doesNotContainPattern("_(count|sum|bucket|info)$");
        });
        for (var file : List.of("alerts.yaml", "dashboard.json")) {
            String text =
                    Files.readString(Path.of(System.getProperty("metasched.root", ".."), "docs", "monitoring", file));
            var named =
                    Pattern.compile("\\b(metasched|jvm|process|system)_[a-z_]+").matcher(text);
            var names = named.results()
                    .map(MatchResult::group)
                    .map(name -> name.replaceFirst("_(count|sum|bucket)$", ""))
                    .toList();
            assertThat(names).isNotEmpty().isSubsetOf(types.keySet());
            assertThat(new Load(LoadSettings.builder().build()).loadFromString(text))
                    .isNotNull();
        }
    }

    @Test
    void promtoolItselfHasNothingAgainstTheMetricsAndTheAlerts() throws Exception {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "promtool")));
        assumeTrue(isThere, "promtool (Debian: prometheus) is not on this machine.");
        Path scrape =
                Files.writeString(folder.resolve("scrape"), get("/metrics").body());
        Path alerts = Path.of(System.getProperty("metasched.root", ".."), "docs", "monitoring", "alerts.yaml");

        assertThat(promtool(scrape, "check", "metrics")).isEmpty();
        assertThat(promtool(scrape, "check", "rules", alerts.toString())).contains("SUCCESS");
    }

    /** What it prints; it must end with 0. */
    private static String promtool(Path input, String... words) throws Exception {
        var command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(words));
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static List<String> problems(JsonNode contract, JsonNode schema, JsonNode answer) {
        ObjectNode whole = JSON.createObjectNode();
        whole.set("components", contract.path("components"));
        whole.set("allOf", JSON.createArrayNode().add(schema));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole).validate(answer).stream()
                .map(Object::toString)
                .toList();
    }

    private static JsonNode json(String path) {
        try {
            var answer = get(path);
            assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
            return JSON.readTree(answer.body());
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(server.base() + path)).build(), BodyHandlers.ofString());
    }
}
