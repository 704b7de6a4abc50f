package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** A site that is drained gets no more DAGs, whoever counts, and a count that is out of order is put right. */
class SiteDrainTest {

    private static final String SITE = "Name = \"%s\"\nMyType = \"Machine\"\nMaxMatches = %d\n"
            + "Requirements = CurMatches < MaxMatches\nSiteEnvironment = \"Area=/%1$s\"\n\n";

    @TempDir
    private Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
    private List<String> count = List.of();

    @BeforeEach
    void twoSites() throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 3) + SITE.formatted("elm", 3));
        count = List.of("--sites", file("sites.ads"), "--ledger", file("ledger"));
    }

    private int run(List<String> more, String... words) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Stream.concat(Stream.of(words), more.stream()).toArray(String[]::new));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String dag(String name) throws IOException {
        return Files.writeString(folder.resolve(name + ".dag"), "JOB A a.sub\n").toString();
    }

    private int bind(String name, String site) throws IOException {
        return run(count, "dag", "bind", dag(name), "--out", file("bound/" + name), "--site", site);
    }

    private String site(String name) throws IOException {
        return BindingRecord.find(folder.resolve("bound/" + name)).orElseThrow().site();
    }

    private String drain(String... more) throws IOException {
        var words = new ArrayList<>(List.of("site", "drain", "oak", "--json"));
        words.addAll(List.of(more));
        assertThat(run(count, words.toArray(String[]::new))).as(err.toString()).isZero();
        return new ObjectMapper().readTree(out.toString()).get("drain").asText();
    }

    @Test
    void whatDoesNotRunMovesAndNothingNewComes() throws Exception {
        for (String name : List.of("waits", "failed", "runs")) {
            assertThat(bind(name, "oak")).as(err.toString()).isZero();
        }
        Files.writeString(folder.resolve("bound/runs/runs.dag.lock"), "");
        Files.writeString(folder.resolve("bound/failed/failed.dag.dagman.out"), "");

        assertThat(run(count, "site", "drain", "oak", "--move")).as("%s", err).isEqualTo(1);

        assertThat(out.toString()).contains("oak is drained", "bound/waits moved from oak to elm");
        assertThat(err.toString()).contains("bound/runs is being run").doesNotContain("bound/waits", "bound/failed");
        assertThat(List.of(site("waits"), site("failed"), site("runs"))).containsExactly("elm", "elm", "oak");
        assertThat(run(count, "dag", "release", file("bound/runs")))
                .as("no option of release")
                .isEqualTo(2);
        assertThat(run(List.of(), "dag", "release", file("bound/runs"))).isZero();
        assertThat(bind("new", "oak")).isEqualTo(1);
        assertThat(run(count, "site", "drain", "oak")).as("drained already").isEqualTo(1);
        assertThat(run(count, "site", "drain", "elm", "--move"))
                .as("there is no other site")
                .isEqualTo(1);
        assertThat(site("waits")).isEqualTo("elm");
    }

    @Test
    void aDagThatMovesKeepsTheMacrosThatItWasBoundWith() throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/$$(OpSys)\nqueue\n");
        assertThat(run(
                        count,
                        "dag",
                        "bind",
                        dag("kept"),
                        "--out",
                        file("bound/kept"),
                        "--site",
                        "oak",
                        "--keep-match-macros"))
                .as(err.toString())
                .isZero();

        assertThat(run(count, "site", "drain", "oak", "--move")).as("%s", err).isZero();

        assertThat(site("kept")).isEqualTo("elm");
        assertThat(folder.resolve("bound/kept/a.sub")).content().contains("$$(OpSys)");
    }

    @Test
    void aDrainIsListedAndEndsByItsName() throws Exception {
        Files.writeString(
                folder.resolve("sites.ads"), "Name = \"oak\"\nRequirements = true\nSiteEnvironment = \"Area=/oak\"\n");
        assertThat(bind("before", "oak")).as(err.toString()).isZero();
        String id = drain();
        assertThat(bind("a", "oak")).as("a site without a bound is drained too").isEqualTo(1);
        assertThat(run(count, "matches", "list")).isZero();
        assertThat(out.toString()).contains("oak", "drained:", id);

        assertThat(run(count, "matches", "drain", "oak", "--end", id)).isZero();

        assertThat(run(count, "matches", "drain", "oak", "--end", id)).isEqualTo(1);
        assertThat(bind("a", "oak")).isZero();
    }

    @Test
    void theCommandThatEndsADrainWorksAsItIsPrinted() throws Exception {
        assertThat(run(count, "site", "drain", "oak", "--ca", folder.toString()))
                .isZero();

        String[] printed = out.toString().strip().split(" until metasched ")[1].split(" ");

        assertThat(run(List.of(), printed)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("oak is open again.");
        assertThat(printed).containsSubsequence("--ca", folder.toString());
    }

    @Test
    void onlyADrainOfTheSiteEnds() throws Exception {
        assertThat(bind("a", "oak")).isZero();
        assertThat(run(count, "matches", "list", "--json")).isZero();
        String match =
                new ObjectMapper().readTree(out.toString()).at("/matches/0/id").asText();
        String drain = drain();

        assertThat(run(count, "site", "drain", "oak", "--end", match)).isEqualTo(1);
        assertThat(run(count, "site", "drain", "elm", "--end", drain)).isEqualTo(1);

        assertThat(run(count, "matches", "list")).isZero();
        assertThat(out.toString()).contains(match, drain);
    }

    @Test
    void withoutOtherSitesNothingIsDrained() {
        var ledger = List.of("--ledger", file("new"));

        assertThat(run(ledger, "site", "drain", "oak", "--move")).isEqualTo(2);
        assertThat(err.toString()).contains("--sites ADS");
        assertThat(run(ledger, "matches", "list")).isZero();

        assertThat(out.toString()).doesNotContain("oak");
        assertThat(folder.resolve("new")).as("a look makes no ledger").doesNotExist();
    }

    @Test
    void aMatchWhoseDirectoryIsGoneIsNamedAndEndsWhenAsked() throws Exception {
        assertThat(bind("kept", "oak")).isZero();
        assertThat(bind("gone", "oak")).isZero();
        try (Stream<Path> files = Files.walk(folder.resolve("bound/gone"))) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }

        assertThat(run(count, "matches", "repair")).isEqualTo(1);
        assertThat(out.toString()).contains("0 matches ended, 2 are held.");
        assertThat(err.toString()).contains("bound/gone").doesNotContain("bound/kept");
        assertThat(run(count, "matches", "repair", "--missing")).isZero();
        assertThat(run(count, "matches", "list", "--json")).isZero();
        assertThat(out.toString()).contains("bound/kept").doesNotContain("bound/gone");
    }

    @Test
    void moreDagsThanFitOnAScreenAreCounted() throws Exception {
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 30) + SITE.formatted("elm", 30));
        var bind = new ArrayList<>(List.of("dag", "bind", "--site", "oak", "--out", file("bound")));
        for (int i = 0; i < 21; i++) {
            bind.add(dag("d" + i));
        }

        assertThat(run(count, bind.toArray(String[]::new))).as("%s", err).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("21 DAGs bound to oak");

        assertThat(run(count, "site", "drain", "oak", "--move")).as("%s", err).isZero();
        assertThat(out.toString()).contains("21 DAGs moved from oak to elm").doesNotContain("bound/");
        assertThat(run(List.of(), "dag", "list", file("bound"))).isZero();
        assertThat(out.toString().lines().filter(line -> line.contains(" elm ")))
                .hasSize(21);
    }

    @Tag("full")
    @Test
    void moreMovesAndFailuresThanFitOnAScreenAreCounted() throws Exception {
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 30) + SITE.formatted("elm", 30));
        var bind = new ArrayList<>(List.of("dag", "bind", "--site", "oak", "--out", file("bound")));
        var rebind = new ArrayList<>(List.of("dag", "rebind"));
        for (int i = 0; i < 21; i++) {
            bind.add(dag("d" + i));
            rebind.add(file("bound/d" + i));
        }
        String[] all = rebind.toArray(String[]::new);
        assertThat(run(count, bind.toArray(String[]::new))).as("%s", err).isZero();

        assertThat(run(count, all)).as("%s", err).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("21 DAGs moved from oak to elm");
        assertThat(err.toString()).isEmpty();

        for (int i = 0; i < 20; i++) {
            Files.writeString(folder.resolve("bound/d" + i + "/d" + i + ".dag.lock"), "");
        }
        assertThat(run(count, all)).isEqualTo(1);
        assertThat(out.toString()).isEqualToIgnoringNewLines("1 DAG moved from elm to oak");
        assertThat(err.toString().lines().filter(line -> line.startsWith("metasched: ")))
                .as("of one reason")
                .hasSize(1);
        assertThat(err.toString()).contains("bound/d0", "is being run", "19 more failed like");
        assertThat(run(
                        List.of("--verbose"),
                        Stream.concat(Stream.of(all), count.stream()).toArray(String[]::new)))
                .isEqualTo(1);
        assertThat(err.toString()).contains("bound/d0", "bound/d19");
    }

    @Tag("full")
    @Test
    void aServersQueueWaitsWhileItsSiteIsDrained() throws Exception {
        var config = Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + file("data")
                        + "\nsites:\n  - {site: fzj, scheduler: {type: simulated, nodes: 4}}\n");
        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            count = List.of("--server", server.base().toString());
            Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 2));
            assertThat(run(count, "advertise", file("sites.ads"))).as("%s", err).isZero();
            String[] bind = {"dag", "queue", "--queue", file("queue"), "--bind", "--site", "oak"};
            assertThat(run(
                            List.of("--out", file("bound"), "--queue", file("queue")),
                            "dag",
                            "queue",
                            dag("a"),
                            dag("b"),
                            dag("c")))
                    .isZero();

            assertThat(run(count, bind)).as("%s", err).isZero();

            assertThat(site("a")).isEqualTo("oak");
            assertThat(site("b")).isEqualTo("oak");
            assertThat(folder.resolve("bound/c")).as("the server counts two").doesNotExist();
            String id = drain();
            assertThat(run(List.of(), "dag", "release", file("bound/a")))
                    .as("%s", err)
                    .isZero();
            assertThat(run(count, bind)).isZero();
            assertThat(folder.resolve("bound/c")).doesNotExist();
            assertThat(run(count, "site", "drain", "oak", "--end", id)).isZero();
            assertThat(run(count, bind)).isZero();
            assertThat(site("c")).isEqualTo("oak");
            assertThat(run(count, "matches", "list")).as("its page lists them").isEqualTo(2);
        }
        assertThat(run(count, "dag", "queue", "--queue", file("queue"), "--bind"))
                .as("the server is away")
                .isEqualTo(3);
    }
}
