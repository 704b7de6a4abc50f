package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.agreement.OnDegraded;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.trust.DemoAuthority;
import org.w3c.dom.Document;

/** Needs that leave the site open, against a server with a cheap site that is busy for two days and two dear ones that are idle. */
class ReserveNeedTest {

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    private record Ran(int exit, String out, String err) {}

    @BeforeAll
    static void serve() throws Exception {
        var config = folder.resolve("server.yaml");
        Files.writeString(config, """
            port: 0
            data: %1$s
            sites:
              - site: cheap
                scheduler: {type: simulated, nodes: 64}
                publish: {max-matches: 10, attributes: {Cost: 1, Memory: 4096}}
              - site: dear
                scheduler: {type: simulated, nodes: 32, programs: {folder: %1$s/jobs32}}
                publish: {max-matches: 10, attributes: {Cost: 5, Memory: 8192}}
              - site: dearer
                scheduler: {type: simulated, nodes: 16, programs: {folder: %1$s/jobs16}}
                publish: {max-matches: 10, attributes: {Cost: 6, Memory: 16384}}
            """.formatted(folder));
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
        json("reserve", "--site", "cheap:nodes=64", "--duration", "PT48H");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void thePreferenceDecidesBetweenSoonAndCheap() throws Exception {
        var soon = json("reserve", "--need", "cpu:nodes=4", "--duration", "PT1H");
        var cheap = json("reserve", "--need", "cpu:nodes=4", "--duration", "PT1H", "--prefer", "cost");

        assertThat(sites(soon)).doesNotContain("cheap");
        assertThat(sites(cheap)).containsExactly("cheap");
        assertThat(Instant.parse(cheap.path("start").asText()))
                .isAfter(Instant.parse(soon.path("end").asText()));
        assertThat(run("reserve", "--need", "cpu:nodes=4", "--duration", "PT1H", "--prefer", "best")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void aDryRunShowsTheBestPlansAndHoldsNothing() throws Exception {
        int before = json("agreements").path("agreements").size();

        var plans =
                json("reserve", "--dry-run", "--plans", "3", "--need", "cpu:nodes=16,sites=2", "--duration", "PT1H");
        var shown = run("reserve", "--dry-run", "--need", "cpu:nodes=16,sites=2", "--duration", "PT1H");
        var cheapest = json("reserve", "--dry-run", "--need", "cpu:nodes=4", "--duration", "PT1H", "--prefer", "cost");

        assertThat(plans.path("granted").asBoolean()).isTrue();
        assertThat(plans.path("proven").asBoolean()).isTrue();
        assertThat(plans.path("plans")).hasSizeBetween(2, 3);
        assertThat(sites(plans.at("/plans/0"))).containsExactlyInAnyOrder("dear", "dearer");
        assertThat(plans.at("/plans/0/cost").asDouble()).isEqualTo(16 * 5 + 16 * 6);
        assertThat(Instant.parse(plans.at("/plans/1/start").asText()))
                .isAfterOrEqualTo(Instant.parse(plans.at("/plans/0/start").asText()));
        assertThat(shown.exit()).isZero();
        assertThat(shown.out()).contains("START", "dear (16 nodes)").containsPattern("#+");
        assertThat(shown.err()).contains("Nothing is held.");
        assertThat(sites(cheapest.at("/plans/0"))).containsExactly("cheap");
        assertThat(json("agreements").path("agreements")).hasSize(before);
    }

    @Test
    void aRefusalComesWithCommandsThatWouldBeGranted() throws Exception {
        String[] wanted = {"reserve", "--need", "cpu:nodes=20,sites=2,Requirements=Memory >= 8000", "--duration", "PT1H"
        };

        var refused = run(with(wanted, "--explain"));
        var asJson = run(with(wanted, "--explain", "--json"));

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("suits all parts", "would be granted");
        assertThat(refused.out()).contains("metasched reserve --need", "# fewer: ", "# sites: 1 sites instead of 2");
        var json = new ObjectMapper().readTree(asJson.out());
        assertThat(asJson.exit()).isEqualTo(1);
        assertThat(json.path("error").asText()).isNotEmpty();
        for (JsonNode nearest : json.path("nearest")) {
            var command = StreamSupport.stream(nearest.path("command").spliterator(), false)
                    .skip(1)
                    .map(JsonNode::asText)
                    .toArray(String[]::new);
            var made = run(command);
            assertThat(made.exit()).as(nearest + "\n" + made.err()).isZero();
            run("terminate", made.out().split(" ")[1]);
        }
        var dry = run(with(wanted, "--dry-run"));
        assertThat(dry.exit()).isEqualTo(1);
        assertThat(dry.err()).contains("Maybe --explain").doesNotContain("No similar request");
        assertThat(run("reserve", "--dry-run", "--site", "nowhere:nodes=1", "--duration", "PT1H")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void aSuggestedCommandRunsTheProgramWithItsOwnWordsOnly() throws Exception {
        String[] wanted = {
            "reserve", "--server", server.base().toString(), "--need", "cpu:nodes=20,sites=2", "--duration", "PT1H"
        };
        var authorities = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC()).authorities();
        var refused = run(with(
                with(wanted, "--ca", authorities.toString()),
                "--label",
                "large",
                "--explain",
                "--json",
                "/bin/echo",
                "hello"));

        assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
        JsonNode nearest = new ObjectMapper().readTree(refused.out()).path("nearest");
        assertThat(nearest).isNotEmpty().allSatisfy(request -> {
            var words = StreamSupport.stream(request.path("command").spliterator(), false)
                    .map(JsonNode::asText)
                    .toList();
            assertThat(words)
                    .containsSubsequence(
                            "--ca",
                            authorities.toString(),
                            "--label",
                            "large",
                            "--per-node",
                            "1",
                            "/bin/echo",
                            "hello");
            assertThat(words.subList(words.indexOf("/bin/echo"), words.size())).doesNotContain("--label");
        });
    }

    /** An offer in a file may say more than options can: a command without that would be another request. */
    @Test
    void anOfferThatSaysMoreThanOptionsIsSuggestedWithoutACommand() throws Exception {
        var template = AgreementClient.keyOf(new AgreementClient(server.base(), Duration.ofMinutes(1))
                .templates()
                .get(0));
        var part = new Part(Optional.of("dear"), Optional.empty(), new Need.Nodes(32));
        var start = Instant.now().plus(Duration.ofDays(3));
        json("reserve", "--site", "dear:nodes=1", "--duration", "1h", "--earliest", start.toString());
        List<Consumer<Document>> more = List.of(
                offer -> {},
                offer -> OfferWriter.run(offer, List.of("/bin/true"), 1, Optional.empty()),
                offer -> OfferWriter.onDegraded(offer, OnDegraded.END));
        for (int i = 0; i < more.size(); i++) {
            var offer = OfferWriter.write(
                    template,
                    new OfferContent(
                            "more-" + i,
                            "",
                            List.of(part),
                            Duration.ofHours(1),
                            Optional.of(start),
                            Optional.of(start.plus(Duration.ofHours(1)))));
            more.get(i).accept(offer);
            var file = Files.writeString(folder.resolve("offer.xml"), AgreementClient.text(offer));

            var refused = run("reserve", "--offer", file.toString(), "--explain", "--json");

            assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
            boolean isPlain = i == 0;
            assertThat(new ObjectMapper().readTree(refused.out()).path("nearest"))
                    .isNotEmpty()
                    .allMatch(request -> request.has("command") == isPlain);
        }
    }

    @Test
    void theStagesOfAWorkflowHaveTheirOwnSitesAndTimes() throws Exception {
        var file = folder.resolve("workflow.yaml");
        Files.writeString(file, """
            stages:
              - {name: one, duration: 90s, need: 'cpu:nodes=8'}
              - name: two
                duration: 1h
                need: ['cpu:nodes=4', 'cpu:nodes=2']
                after: [{stage: one, lag: 5m, within: 1d}]
              - {name: three, duration: 30m, site: 'dear:nodes=1', after: [{stage: two}]}
            """);

        var shown = run("reserve", "--workflow", file.toString(), "--dry-run", "--plans", "1");
        var made = json("reserve", "--workflow", file.toString());

        assertThat(shown.out()).contains("3 stages", "one: ", "two: ", "three: dear (1 node)");
        var starts = StreamSupport.stream(made.path("sites").spliterator(), false)
                .map(site -> Instant.parse(site.path("start").asText()))
                .toList();
        assertThat(starts).hasSize(4);
        assertThat(starts.get(1)).isEqualTo(starts.get(0).plusSeconds(90 + 300)).isEqualTo(starts.get(2));
        assertThat(starts.get(3)).isEqualTo(starts.get(1).plusSeconds(3600));
        assertThat(made.path("end").asText())
                .isEqualTo(starts.get(3).plusSeconds(1800).toString());
        run("terminate", made.path("agreementId").asText());

        Files.writeString(file, "stages: [{name: a, duration: 1h, need: 'cpu:nodes=1', after: [{stage: a}]}]");
        var circle = run("reserve", "--workflow", file.toString());
        assertThat(circle.exit()).isEqualTo(2);
        assertThat(circle.err()).contains("workflow.yaml", "[a] have no order");
    }

    @Test
    void aTotalIsSplitOverTheSitesThatAreFree() throws Exception {
        var made = json(
                "reserve",
                "--need",
                "cpu:total=40,min-part=8,max-parts=2,multiple=8,overhead=25",
                "--duration",
                "PT1H",
                "--deadline",
                Instant.now().plusSeconds(72_000).toString());

        assertThat(sites(made)).containsExactlyInAnyOrder("dear", "dearer");
        assertThat(Instant.parse(made.path("start").asText()).plusSeconds(75 * 60))
                .isEqualTo(made.path("end").asText());
        var nodes = StreamSupport.stream(made.path("sites").spliterator(), false)
                .map(site -> site.path("nodes").asInt())
                .toList();
        assertThat(nodes).allMatch(count -> count % 8 == 0);
        assertThat(nodes.stream().mapToInt(count -> count).sum()).isEqualTo(40);
        assertThat(json("agreement", made.path("agreementId").asText())).isEqualTo(made);
        // The other tests share the sites.
        run("terminate", made.path("agreementId").asText());
        assertThat(run("reserve", "--need", "cpu:total=41,multiple=8", "--duration", "PT1H")
                        .err())
                .contains("The total (41)");
        var refused = run(
                "reserve",
                "--need",
                "cpu:total=60,overhead=10",
                "--duration",
                "PT1H",
                "--deadline",
                Instant.now().plusSeconds(72_000).toString(),
                "--explain");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.out()).contains("total=", ",overhead=10", "# fewer: ");
    }

    private static List<String> sites(JsonNode agreement) {
        return agreement.path("sites").findValuesAsText("site");
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }

    private static JsonNode json(String... arguments) throws Exception {
        var ran = run(with(arguments, "--json"));
        assertThat(ran.exit()).as(ran.err()).isZero();
        return new ObjectMapper().readTree(ran.out());
    }

    private static Ran run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = List.of(arguments).contains("--server")
                ? arguments
                : with(arguments, "--server", server.base().toString());
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
        return new Ran(exit, out.toString(), err.toString());
    }
}
