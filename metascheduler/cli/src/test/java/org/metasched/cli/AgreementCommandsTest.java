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
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** The commands of the WS-Agreement client against a whole server with two idle simulated sites. */
class AgreementCommandsTest {

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    private record Ran(int exit, String out, String err) {}

    @BeforeAll
    static void serve() throws Exception {
        var config = folder.resolve("server.yaml");
        Files.writeString(config, """
                port: 0
                data: %s
                sites:
                  - site: fzj
                    scheduler: {type: simulated, nodes: 64}
                  - site: scai
                    scheduler: {type: simulated, nodes: 32}
                """.formatted(folder));
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void reservesShowsListsAndEnds() throws Exception {
        var reserved = json("reserve", "--site", "fzj:nodes=16", "--site", "scai:nodes=8", "--duration", "PT30M");
        String id = reserved.get("agreementId").asText();

        assertThat(reserved.fieldNames())
                .toIterable()
                .contains("agreementId", "state", "start", "end", "sites", "rounds", "calls");
        assertThat(reserved.get("state").asText()).isEqualTo("Observed");
        assertThat(reserved.get("sites").findValuesAsText("site")).containsExactly("fzj", "scai");
        assertThat(reserved.get("sites").get(0).fieldNames())
                .toIterable()
                .contains("site", "reservationId", "nodes", "start", "end");
        assertThat(json("agreement", id)).isEqualTo(reserved);
        assertThat(json("agreements", "--state", "observed").get("agreements").findValuesAsText("agreementId"))
                .contains(id);
        assertThat(json("terminate", id).get("state").asText()).isEqualTo("Terminated");
        assertThat(run("terminate", id).exit()).isEqualTo(ExitCodeException.NO);
        assertThat(run("agreement", id).out()).contains("is Terminated", "fzj: 16 reserved");
        assertThat(json("agreement", id, "--history").get("events").findValuesAsText("kind"))
                .startsWith("OFFER", "NEGOTIATION", "STATE", "PART", "PART")
                .endsWith("STATE", "STATE", "PART", "PART");
        assertThat(run("agreement", id, "--history").out())
                .contains("Pending to Observed", "ObservedAndTerminating to Terminated", "RESERVED to CANCELLED");
    }

    @Test
    void takesTheNameThatAnOfferWasGiven() throws Exception {
        var need = new String[] {"reserve", "--site", "fzj:nodes=1", "--duration", "1h", "--id", "named"};
        String id = json(need).get("agreementId").asText();

        assertThat(json("agreement", "named").get("agreementId").asText()).isEqualTo(id);
        assertThat(json("watch", "named", "--looks", "1").get("agreementId").asText())
                .isEqualTo(id);
        assertThat(json("terminate", "named").get("state").asText()).isEqualTo("Terminated");
        assertThat(run("terminate", "unheard-of").err()).contains("AGREEMENT_UNKNOWN");

        json(Stream.concat(Stream.of(need), Stream.of("--initiator", "CN=Other"))
                .toArray(String[]::new));
        var several = run("agreement", "named");
        assertThat(several.exit()).isEqualTo(ExitCodeException.BAD_INPUT);
        assertThat(several.err()).contains("The name (named) is that of several agreements", id, "CN=Other, Observed");
    }

    @Test
    void offersWhatStandsInAFile() throws Exception {
        var template = json("templates").get("templates").get(0).get("document").asText();
        var offer = folder.resolve("offer.xml");
        Files.writeString(
                offer,
                template.replace("wsag:Template ", "wsag:AgreementOffer ")
                        .replaceFirst("wsag:TemplateId=\"1\"", "")
                        .replaceFirst("(?s)<wsag:CreationConstraints>.*", "</wsag:AgreementOffer>"));

        var reserved = json("reserve", "--offer", offer.toString());

        assertThat(reserved.get("sites").findValuesAsText("nodes")).containsExactly("1", "1");
    }

    @Test
    void saysWhereAnOfferIsNotXml() throws Exception {
        var offer = folder.resolve("broken.xml");
        Files.writeString(offer, "<wsag:AgreementOffer>\n  <oops\n</wsag:AgreementOffer>");

        var ran = run("reserve", "--offer", offer.toString());

        assertThat(ran.exit()).isEqualTo(ExitCodeException.BAD_INPUT);
        assertThat(ran.err()).containsPattern("broken\\.xml:\\d+:\\d+: ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | must be from 1 to           | --site fzj:nodes=0 --duration PT1H
            2 | must be of the form         | --site fzj --duration PT1H
            2 | where one of                | --site fzj:noods=3 --duration PT1H
            2 | whole number for nodes      | --site fzj:nodes=many --duration PT1H
            2 | OFFER_INVALID: Nodes: the   | --site fzj:nodes=9999999 --duration PT1H
            2 | SITE_UNKNOWN                | --site julich-x:nodes=1 --duration PT1H
            2 | with its units              | --site fzj:nodes=1 --duration 90
            2 | must be a time, such as     | --site fzj:nodes=1 --duration PT1H --earliest someday
            2 | TOO_LATE                    | --site fzj:nodes=1 --duration PT1H --earliest 2020-01-05T16:00:00Z
            2 | are needed                  | --site fzj:nodes=1
            2 | --per-node (0)              | --site fzj:nodes=1 --duration 1h --per-node 0 --server SERVER /bin/true
            """)
    void endsWithACodeAndASentence(int exit, String sentence, String arguments) {
        // The template has the sizes of the sites once they have been asked.
        Awaitility.await()
                .until(() -> run("reserve", "--site", "fzj:nodes=9999999", "--duration", "PT1H")
                        .err()
                        .contains("OFFER_INVALID"));
        var words = arguments.replace("SERVER", server.base().toString()).split(" ");
        var ran = run(Stream.concat(Stream.of("reserve"), Stream.of(words)).toArray(String[]::new));

        assertThat(ran.err()).contains(sentence).doesNotContain("\tat ");
        assertThat(ran.exit()).isEqualTo(exit);
    }

    @Test
    void saysBackWhatATimeWithoutAnOffsetMeans() throws Exception {
        var ran = run("reserve", "--site", "fzj:nodes=1", "--duration", "90m", "--earliest", "tomorrow 18:00 UTC");

        var start = LocalDate.now(ZoneOffset.UTC).plusDays(1).atTime(18, 0).toInstant(ZoneOffset.UTC);
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("--earliest (tomorrow 18:00 UTC) is ").contains("in the zone UTC");
        assertThat(ran.out()).contains("from " + start + " to " + start.plusSeconds(5400));
    }

    @Tag("full")
    @Test
    void aProgramAndItsArgumentsStandBehindTheOptions() throws Exception {
        var home = Files.createDirectory(folder.resolve("programs"));
        var config = Files.writeString(home.resolve("server.yaml"), """
                {port: 0, data: %1$s, negotiation: {lead: 1s}, monitor: {every: 1s}, sites: [{site: toy,
                 scheduler: {type: simulated, nodes: 4, programs: {folder: %1$s/jobs}}}]}
                """.formatted(home));
        try (var toy = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            String at = toy.base().toString();
            var command = new String[] {
                "reserve",
                "--server",
                at,
                "--json",
                "--site",
                "toy:nodes=2",
                "--duration",
                "1m",
                "--per-node",
                "2",
                "/bin/sh",
                "-c",
                "echo $METASCHED_RANK $1; exit 4",
                "sh",
                "--json"
            };
            var out = new StringWriter();
            int exit = Main.execute(out, new PrintWriter(new StringWriter()), command);
            String id = new ObjectMapper()
                    .readTree(out.toString())
                    .get("agreementId")
                    .asText();
            assertThat(exit).isZero();

            var shown = new StringWriter();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
                shown.getBuffer().setLength(0);
                Main.execute(shown, new PrintWriter(new StringWriter()), "agreement", id, "--server", at);
                return shown.toString().contains("ENDED");
            });

            assertThat(shown.toString()).contains("program ENDED with exit code 4, job metajob-", "output in " + home);
            var output = Path.of(shown.toString().replaceAll("(?s).*output in (\\S+).*", "$1"));
            assertThat(Files.readAllLines(output))
                    .containsExactlyInAnyOrder("0 --json", "1 --json", "2 --json", "3 --json");
        }
    }

    @Test
    void takesCommonOptionsBeforeTheCommandAndAServerWithoutItsScheme() throws Exception {
        var out = new StringWriter();
        int exit = Main.execute(
                out,
                new PrintWriter(new StringWriter()),
                "--server",
                server.base().getAuthority(),
                "--json",
                "agreements",
                "--state",
                "observed");

        assertThat(exit).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).has("agreements"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | SITE_UNKNOWN   | reserve --site julich-x:nodes=1 --duration 1h
            1 | AGREEMENT_UNKNOWN | agreement nobody-made-it
            2 |                | reserve --site fzj:nodes=1 --duration soon
            2 |                | agreement
            """)
    void aRefusalInJsonIsOneObject(int exit, String code, String command) throws Exception {
        var ran = run(Stream.concat(Stream.of(command.split(" ")), Stream.of("--json"))
                .toArray(String[]::new));

        var json = new ObjectMapper().readTree(ran.out());
        assertThat(ran.exit()).isEqualTo(exit);
        assertThat(json.path("exit").asInt()).isEqualTo(exit);
        assertThat(json.path("code").asText(null)).isEqualTo(code);
        assertThat(ran.err())
                .contains(json.path("error").asText().lines().findFirst().orElseThrow());
    }

    @Test
    void saysNoWhenASiteIsFullAsFarAsItLooks() throws Exception {
        String id = json("reserve", "--site", "scai:nodes=32", "--duration", "PT20000H")
                .get("agreementId")
                .asText();

        var ran = run("reserve", "--site", "scai:nodes=1", "--duration", "PT1H", "--json");

        assertThat(ran.err()).contains("says that it has none from");
        assertThat(ran.exit()).isEqualTo(ExitCodeException.NO);
        assertThat(new ObjectMapper().readTree(ran.out()).path("code").asText()).isEqualTo("PREVIEW_WINDOW_EXCEEDED");
        json("terminate", id);
    }

    @Test
    void saysThatNoServerAnswers() {
        var out = new StringWriter();
        var err = new StringWriter();

        int exit = Main.execute(
                new PrintWriter(out, true), new PrintWriter(err, true), "agreements", "--server", "http://127.0.0.1:1");

        assertThat(exit).isEqualTo(ExitCodeException.OUTSIDE);
        assertThat(err.toString()).contains("Maybe it is not running");
    }

    private static JsonNode json(String... arguments) throws Exception {
        var ran = run(Stream.concat(Stream.of(arguments), Stream.of("--json")).toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err()).isZero();
        return new ObjectMapper().readTree(ran.out());
    }

    private static Ran run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = Stream.concat(
                Stream.of(arguments), Stream.of("--server", server.base().toString()));
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Ran(exit, out.toString(), err.toString());
    }
}
