package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.simulated.Workload;

class SimulateCommandTest {

    private static final String SITES = """
            length: 4d
            sites:
              a: {workload: synthetic, nodes: 32, jobs: 1000, load: 0.5, backfilling: easy}
              b: {workload: synthetic, nodes: 16, jobs: 1000, load: 0.5, seed: 2}
            streams:
              meta: {share: 0.1, nodes: 2..8, duration: 1h..3h, run: 0.5..1, given-start: 0.5, book-ahead: 1h..6h}
            """;
    private static final String SWEEP = "sweep: {streams.meta.share: [0.05, 0.2], seed: [1, 2]}\n";

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int simulate(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        var all = new String[arguments.length + 1];
        all[0] = "simulate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    private String scenario(String text) throws Exception {
        return Files.writeString(folder.resolve("s.yaml"), text).toString();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private JsonNode printed() throws Exception {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void aRunPrintsItsFiguresAndIsNotRunAgain() throws Exception {
        String file = scenario(SITES);

        // without a sweep there is one run, whatever the number of processes
        assertThat(simulate("run", file, "--out", path("r"), "--json", "--processes", "2"))
                .isZero();
        assertThat(printed().at("/meta/jobs").asInt()).isPositive();
        assertThat(printed().at("/localChange/delay").isNumber()).isTrue();

        assertThat(simulate("run", file, "--out", path("r"))).isZero();
        assertThat(err.toString()).contains("is complete");
        assertThat(out.toString()).contains("Mean wait of local jobs (min)");

        assertThat(simulate("run", scenario(SITES.replace("4d", "5d")), "--out", path("r")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("does not hold this run", "Maybe the scenario has changed");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"windows", "choice", "gang"})
    void theWireMakesNoDifference(String policy) throws Exception {
        String file = scenario("policy: " + policy + "\n" + SITES);

        assertThat(simulate("run", file, "--out", path("direct"), "--set", "length=1d", "-q"))
                .isZero();
        assertThat(simulate("run", file, "--out", path("soap"), "--set", "length=1d", "-q", "--over-soap"))
                .isZero();

        for (var name : new String[] {"run.json", "local-jobs.csv", "meta-jobs.csv"}) {
            assertThat(folder.resolve("soap").resolve(name))
                    .hasSameBinaryContentAs(folder.resolve("direct").resolve(name));
        }
        assertThat(folder.resolve("soap/meta-jobs.csv")).content().contains(",granted,");
    }

    /** Three sites for jobs of two parts: which are free is worth to know. */
    private static final String OPEN = """
            length: 12d
            baseline: false
            sites:
              a: {workload: synthetic, nodes: 32, jobs: 1000, load: 0.7, backfilling: easy, bandwidth: 1000}
              b: {workload: synthetic, nodes: 32, jobs: 1000, load: 0.5, seed: 2, bandwidth: 1000}
              c: {workload: synthetic, nodes: 32, jobs: 1000, load: 0.3, seed: 3, cost: 2, bandwidth: 50}
            streams:
              meta: {per-day: 12, parts: 2, nodes: 4..24, duration: 1h..3h, run: 0.5..1}
            sweep: {policy: [windows, gang, choice]}
            """;

    private JsonNode meta(String run) throws Exception {
        return new ObjectMapper()
                .readTree(folder.resolve(run).resolve("run.json").toFile())
                .path("meta");
    }

    private java.util.List<String> sitesOf(String run) throws Exception {
        return Files.readAllLines(folder.resolve(run).resolve("meta-jobs.csv")).stream()
                .filter(line -> line.contains(",granted,"))
                .map(line -> line.replaceAll(".*,([abc](?:[+][abc])*),.*", "$1"))
                .toList();
    }

    @Test
    void sitesAndStartAreChosenTogetherAndTheJobsAreTheSame() throws Exception {
        assertThat(simulate("run", scenario(OPEN), "--out", path("s"), "-q")).isZero();

        var drawn = meta("s/0001-policy=windows");
        var gang = meta("s/0002-policy=gang");
        var choice = meta("s/0003-policy=choice");
        assertThat(choice.path("jobs")).isEqualTo(drawn.path("jobs"));
        assertThat(choice.path("rounds").asDouble()).isEqualTo(1);
        assertThat(choice.path("wait").asDouble())
                .isLessThan(gang.path("wait").asDouble())
                .isLessThan(drawn.path("wait").asDouble());
        assertThat(choice.path("rejectionRate").asDouble())
                .isLessThanOrEqualTo(drawn.path("rejectionRate").asDouble());
        assertThat(sitesOf("s/0003-policy=choice"))
                .isNotEmpty()
                .allSatisfy(sites -> assertThat(sites).matches("[abc][+][abc]").doesNotMatch("a[+]a|b[+]b|c[+]c"));
    }

    @Test
    @Tag("full")
    void requirementsLinksAndCostBindChosenSites() throws Exception {
        String file = scenario(OPEN.replace("[windows, gang, choice]", "[gang, choice]"));

        assertThat(simulate(
                        "run",
                        file,
                        "--out",
                        path("s"),
                        "-q",
                        "--set",
                        "streams.meta.requirements=Backfilling == \"conservative\""))
                .isZero();
        assertThat(sitesOf("s/0001-policy=gang"))
                .isNotEmpty()
                .allSatisfy(sites -> assertThat(sites).matches("b[+]c|c[+]b"));
        assertThat(sitesOf("s/0002-policy=choice"))
                .isNotEmpty()
                .allSatisfy(sites -> assertThat(sites).matches("b[+]c|c[+]b"));

        assertThat(simulate("run", file, "--out", path("l"), "-q", "--set", "streams.meta.bandwidth=100"))
                .isZero();
        assertThat(sitesOf("l/0002-policy=choice"))
                .isNotEmpty()
                .allSatisfy(sites -> assertThat(sites).doesNotContain("c"));

        assertThat(simulate("run", file, "--out", path("c"), "-q", "--set", "prefer=cost"))
                .isZero();
        assertThat(sitesOf("c/0002-policy=choice"))
                .isNotEmpty()
                .allSatisfy(sites -> assertThat(sites).doesNotContain("c"));

        assertThat(simulate("run", file, "--out", path("x"), "--set", "streams.meta.requirements=Nodes >"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("streams.meta.requirements is no ClassAd expression", "column");
    }

    @Test
    void aSweepThatWasKilledGoesOnWhereItStopped() throws Exception {
        String file = scenario(SITES + SWEEP);
        assertThat(simulate("run", file, "--out", path("s"))).isZero();
        var whole = figures();
        assertThat(whole).hasSize(4);

        // As after a kill in the third run: what it had is under another name, and the fourth never began.
        Files.move(folder.resolve("s/0003-share=0.2-seed=1"), folder.resolve("s/0003-share=0.2-seed=1.partial"));
        Files.delete(folder.resolve("s/0003-share=0.2-seed=1.partial/run.json"));
        for (var name : new String[] {"run.json", "local-jobs.csv", "meta-jobs.csv", ""}) {
            Files.delete(folder.resolve("s/0004-share=0.2-seed=2").resolve(name));
        }
        var untouched = FileTime.from(Instant.parse("2001-01-01T00:00:00Z"));
        Files.setLastModifiedTime(folder.resolve("s/0001-share=0.05-seed=1/run.json"), untouched);

        assertThat(simulate("gather", path("s"), "--json")).isEqualTo(1);
        assertThat(printed().path("complete").asBoolean()).isFalse();
        assertThat(printed().at("/partial/0").asText()).isEqualTo("0003-share=0.2-seed=1");
        assertThat(printed().at("/partial/1").asText()).isEqualTo("0004-share=0.2-seed=2");
        assertThat(err.toString()).contains("Partial: 2 runs were not finished");

        assertThat(simulate("run", file, "--out", path("s"), "--list")).isZero();
        assertThat(out.toString().lines())
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).startsWith("metasched simulate run ").contains("--set", "--out"));

        assertThat(simulate("run", file, "--out", path("s"))).isZero();
        assertThat(figures()).isEqualTo(whole);
        assertThat(Files.getLastModifiedTime(folder.resolve("s/0001-share=0.05-seed=1/run.json")))
                .isEqualTo(untouched);
        assertThat(simulate("gather", path("s"), "--json")).isZero();
        assertThat(printed().path("complete").asBoolean()).isTrue();
        assertThat(printed().at("/groups/1/metrics/local.wait/ci").isNumber()).isTrue();
    }

    private Map<String, String> figures() throws Exception {
        Map<String, String> all = new TreeMap<>();
        try (var files = Files.walk(folder.resolve("s"))) {
            for (var file : files.filter(f -> f.endsWith("run.json")).toList()) {
                all.put(file.toString(), Files.readString(file));
            }
        }
        return all;
    }

    @Test
    @Tag("full")
    void aListedLineAndAProcessOfItsOwnGiveTheSameRun() throws Exception {
        String file = scenario(SITES + SWEEP);
        assertThat(simulate("run", file, "--out", path("s"), "--processes", "2"))
                .isZero();
        assertThat(err.toString()).contains("4 of 4 runs are over");
        var whole = figures();

        var one = folder.resolve("s/0002-share=0.05-seed=2");
        Files.move(one, folder.resolve("before"));
        assertThat(simulate("run", file, "--out", path("s"), "--list")).isZero();
        var line = out.toString().strip().split(" ");
        assertThat(simulate(java.util.Arrays.copyOfRange(line, 2, line.length))).isZero();

        assertThat(figures()).isEqualTo(whole);
    }

    @Test
    void comparisonsArePrintedDrawnAndWrittenAsOnePage() throws Exception {
        String file = scenario(SITES + SWEEP);
        assertThat(simulate("run", file, "--out", path("s"), "-q")).isZero();

        assertThat(simulate("compare", path("s"), "--out", path("page"), "--window", "24..48"))
                .isZero();

        assertThat(out.toString()).contains("share=0.05", "share=0.2", "Meta-jobs rejected (%)");
        assertThat(out.toString())
                .contains("share=0.2 less share=0.05", "95 % by seeds", "95 % by weeks", "seeds for 5 %")
                .contains("Mean wait at a (min)", "Mean wait of local jobs, each site alike (min)")
                .containsPattern("(?m)^Mean wait of local jobs \\(min\\) +\\S+ +\\S+ to \\S+ +0\\.500 +2 +– +\\d+$");
        assertThat(folder.resolve("page/report.html")).content().contains("share=0.2 less share=0.05");
        assertThat(folder.resolve("page/report.html"))
                .content()
                .contains("<svg")
                .doesNotContain("<script");
        assertThat(folder.resolve("page/meta-rejectionRate.svg")).exists();
        assertThat(simulate("compare", path("s"), "--out", path("p"), "--window", "48..24"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("The window (48..24)");
    }

    @Test
    void aTraceIsGivenByTheNameThatTheScenarioHasForIt() throws Exception {
        var jobs = new StringBuilder("; MaxProcs: 32\n0 0 -1 -1359981026 4 -1 -1 4 7200 -1 1 1 1 -1 1 -1 -1 -1\n");
        for (int job = 1; job <= 200; job++) {
            jobs.append(job + " " + 1700 * job + " -1 3600 4 -1 -1 4 7200 -1 1 " + job % 9 + " 1 -1 1 -1 -1 -1\n");
        }
        String trace = Files.writeString(folder.resolve("kth.swf"), jobs).toString();
        String file = scenario(
                SITES.replace("{workload: synthetic, nodes: 32, jobs: 1000, load: 0.5,", "{workload: kth, nodes: 32,")
                        + SWEEP);

        assertThat(simulate("run", file, "--trace", "kth=" + trace, "--out", path("s")))
                .as("%s", err)
                .isZero();
        assertThat(err.toString())
                .contains(
                        "warning: The trace (" + trace + ") has 1 jobs with a negative run time; it counts as unknown");
        assertThat(simulate("gather", path("s"), "--json")).as("%s", err).isZero();
        assertThat(printed().path("complete").asBoolean()).isTrue();
    }

    @Test
    void badInputIsNamedWithItsPlace() throws Exception {
        assertThat(simulate("run", scenario("polcy: windows\n" + SITES), "--out", path("x")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("s.yaml:1:1: there is no setting 'polcy'", "Maybe 'policy' was meant");

        assertThat(simulate("run", path("none.yaml"), "--out", path("x"))).isEqualTo(2);
        assertThat(err.toString()).contains("none.yaml").doesNotContain("Exception");

        assertThat(simulate("gather", path("none"))).isEqualTo(3);
        assertThat(err.toString()).contains("holds no complete run");
    }

    @Test
    void resultsThatCannotBeWrittenAreAFailureOfTheWorld() throws Exception {
        Files.writeString(folder.resolve("file"), "");

        assertThat(simulate("run", scenario(SITES), "--set", "length=1d", "--out", path("file/r")))
                .isEqualTo(3);
        assertThat(err.toString()).contains("The results cannot be written to").doesNotContain("\tat ");
    }

    @Tag("full")
    @Test
    void adviceTellsWhatReservationsCostUnderEachPolicy() throws Exception {
        Path trace = trace();
        String own = Files.writeString(
                        folder.resolve("mine.yaml"), "policy: {rules: [{name: nobody, most-nodes: 1}]}\n")
                .toString();
        String[] advise = {
            "advise",
            "--trace",
            trace.toString(),
            "--out",
            path("a"),
            "--policy",
            own,
            "--length",
            "32d",
            "--seeds",
            "2"
        };

        assertThat(simulate(with(advise, "--most-delay", "1000d"))).isZero();
        assertThat(out.toString())
                .contains("open", "half", "quarter", "nights", "notice", "short", "mine", " to ")
                .contains("no limits, your local users wait", "95 % interval", "No policy is needed");
        assertThat(folder.resolve("a/quarter.yaml")).content().contains("share: [{most: 25%}]");

        assertThat(simulate("run", path("a/advise.yaml"), "--trace", "site=" + trace, "--out", path("again"), "--json"))
                .as("%s", err)
                .isZero();
        var again = printed();
        var open = new ObjectMapper()
                .readTree(folder.resolve("a/runs/0001-policy=open.yaml-seed=1/run.json")
                        .toFile());
        assertThat(again.path("meta")).isEqualTo(open.path("meta"));
        assertThat(again.path("localChange")).isEqualTo(open.path("localChange"));

        assertThat(simulate(with(advise, "--most-delay", "1000d", "--json"))).isZero();
        var policies = printed().path("policies");
        assertThat(policies).hasSize(7);
        assertThat(policies.get(6).path("name").asText()).isEqualTo("mine");
        assertThat(policies.get(6).path("rejectedPercent").asDouble()).isEqualTo(100);
        assertThat(policies.get(0).path("rejectedPercent").asDouble()).isLessThan(100);
        assertThat(policies.get(6).path("delayMinutes").asDouble()).isZero();

        String[] withoutOwn = {
            "advise", "--trace", trace.toString(), "--out", path("a"), "--length", "32d", "--seeds", "2", "--json"
        };
        assertThat(simulate(with(withoutOwn, "--most-delay", "1000d"))).isZero();
        assertThat(printed().path("policies"))
                .as("not the runs that were there before")
                .hasSize(6);
    }

    @Test
    void adviceWithoutFourWeeksSaysThatItDoesNotKnow() throws Exception {
        String[] advise = {
            "advise", "--trace", trace().toString(), "--out", path("a"), "--length", "20d", "--seeds", "2"
        };

        assertThat(simulate(with(advise, "--most-delay", "1000d"))).isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("(?m)^open +-?[0-9.]+ +– +[0-9.]+ +not shown$")
                .contains("No policy was shown", "--length above 31d")
                .doesNotContain("yes", "NaN");

        assertThat(simulate(with(advise, "--most-delay", "1000d", "--json"))).isEqualTo(1);
        assertThat(printed().at("/policies/0/lowMinutes").isNull()).isTrue();
        assertThat(printed().at("/policies/0/keepsBound").asBoolean()).isFalse();
    }

    @Test
    void aRunWithAnotherPolicyInTheSameFileIsAnotherRun() throws Exception {
        Path site = Files.writeString(folder.resolve("site.yaml"), "policy: {rules: [{name: r, longest: 2h}]}\n");
        String file = scenario(SITES.replace("backfilling: easy", "backfilling: easy, policy: site.yaml"));

        assertThat(simulate("run", file, "--out", path("r"), "-q")).isZero();
        Files.writeString(site, "policy: {rules: [{name: r, longest: 3h}]}\n");

        assertThat(simulate("run", file, "--out", path("r"), "-q")).isEqualTo(2);
        assertThat(err.toString()).contains("does not hold this run");
    }

    @Test
    void aSiteFileWithoutRulesIsNamed() throws Exception {
        String empty =
                Files.writeString(folder.resolve("empty.yaml"), "site: a\n").toString();

        assertThat(simulate("advise", "--trace", trace().toString(), "--out", path("a"), "--policy", empty))
                .isEqualTo(2);
        assertThat(err.toString()).contains("empty.yaml:1:1: policy: expected the rules of a site");
    }

    @ParameterizedTest
    @CsvSource({"0, must be above 0 and at most 100", "0.0001, no co-allocation was measured"})
    void aShareWithoutCoAllocationsIsRefused(String share, String why) throws Exception {
        String[] advise = {
            "advise", "--trace", trace().toString(), "--out", path("a"), "--length", "20d", "--seeds", "2"
        };

        assertThat(simulate(with(advise, "--share", share))).isEqualTo(2);
        assertThat(err.toString()).contains("The share (").contains(why);
    }

    /** The headers of traces of the Parallel Workloads Archive. */
    @Tag("full")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UnixStartTime: 1027839845, TimeZone: 3600, TimeZoneString: Europe/Stockholm | 2002-07-28T07:04:05Z | Europe/Stockholm | ''
            UnixStartTime: 781275672, TimeZone: -25200, TimeZoneString: US/Mountain | 1994-10-04T13:01:12Z | US/Mountain | ''
            UnixStartTime: 781275672, TimeZone: -25200 | 1994-10-04T13:01:12Z | UTC-07:00 | ''
            UnixStartTime: 1790000000, TimeZoneString: here | 2026-09-21T14:13:20Z | UTC | has no TimeZoneString
            UnixStartTime: 999999999999999999 | 2000-01-01T00:00:00Z | UTC | has no UnixStartTime before 2200
            UnixStartTime: 0, TimeZoneString: Europe/Oslo | 2000-01-01T00:00:00Z | Europe/Oslo | has no UnixStartTime
            """)
    void policiesAreJudgedAtTheHoursOfTheTrace(String header, String begin, String zone, String warning)
            throws Exception {
        Path trace = trace(header.split(", "));

        assertThat(simulate(
                        "advise",
                        "--trace",
                        trace.toString(),
                        "--out",
                        path("a"),
                        "--length",
                        "32d",
                        "--seeds",
                        "2",
                        "--most-delay",
                        "1000d"))
                .isZero();

        assertThat(folder.resolve("a/nights.yaml")).content().contains("zone: " + zone + "\n");
        assertThat(folder.resolve("a/advise.yaml"))
                .content()
                .contains("begin: " + begin + "\n", "length: PT768H\n", "nodes: 32\n");
        assertThat(err.toString()).contains(warning);
        assertThat(err.toString().contains("The trace")).isEqualTo(!warning.isEmpty());
    }

    private static String[] with(String[] words, String... more) {
        return java.util.stream.Stream.concat(java.util.Arrays.stream(words), java.util.Arrays.stream(more))
                .toArray(String[]::new);
    }

    private Path trace() throws Exception {
        return trace("UnixStartTime: 843480031", "TimeZone: 3600");
    }

    private Path trace(String... headers) throws Exception {
        var lines = new java.util.ArrayList<String>();
        lines.add("; MaxProcs: 32");
        for (String header : headers) {
            lines.add("; " + header);
        }
        for (var job : Workload.synthetic(32, 3000, 5).withLoad(0.6).jobs()) {
            lines.add(String.format(
                    "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1",
                    job.number(),
                    job.submitSeconds(),
                    job.runSeconds(),
                    job.nodes(),
                    job.nodes(),
                    job.estimateSeconds()));
        }
        return Files.write(folder.resolve("t.swf"), lines);
    }
}
