package org.metasched.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.Workload;

class ScenarioReaderTest {

    private static final String GOOD = """
            sites:
              a: {workload: synthetic, nodes: 16, jobs: 100}
              b: {workload: none, nodes: 8}
            streams:
              meta: {per-day: 3, nodes: 2..4, duration: [1h, 2h]}
            """;

    @TempDir
    private Path folder;

    private ScenarioReader reader(String text) throws Exception {
        return ScenarioReader.open(Files.writeString(folder.resolve("s.yaml"), text), Map.of());
    }

    private void assertRefused(String text, Map<String, String> alterations, String... said) throws Exception {
        assertThatThrownBy(() -> reader(text).read(alterations))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContainingAll(said);
    }

    @Test
    void whatIsNotSaidHasItsUsualValue() throws Exception {
        var scenario = reader(GOOD).read(Map.of());

        assertThat(scenario.name()).isEqualTo("s");
        assertThat(scenario.policy()).isEqualTo(new StartSearchPolicy.Windows());
        assertThat(scenario.sites()).extracting(SiteScenario::nodes).containsExactly(16, 8);
        assertThat(scenario.streams().get(0).sites()).containsExactly(0, 1);
        assertThat(scenario.streams().get(0).parts()).isEqualTo(RandomAmount.of(2));
        assertThat(scenario.streams().get(0).duration()).isEqualTo(new RandomAmount(List.of(3600.0, 7200.0), false));
    }

    @Test
    void anUnknownKeyHasItsPlaceAndTheNearestKnownOne() throws Exception {
        assertRefused(
                GOOD.replace("duration", "duratoin"),
                Map.of(),
                "s.yaml:5:35: there is no setting 'duratoin' here",
                "Maybe 'duration' was meant");
    }

    @Test
    void anUnknownPathOfTheCommandLineIsNamedToo() throws Exception {
        assertRefused(GOOD, Map.of("streams.meta.shar", "1"), "--set streams.meta.shar:", "Maybe 'share' was meant");
    }

    @ParameterizedTest
    @CsvSource({
        "trial-and-error, trial-and-error needs 'step'",
        "padded, padded needs 'padding'",
        "magic, 'expected windows, listing1, choice, gang, trial-and-error or padded, not (magic)'"
    })
    void aPolicyWithoutItsParameterIsRefused(String policy, String said) throws Exception {
        assertRefused("policy: " + policy + "\n" + GOOD, Map.of(), "s.yaml:1:9: policy: ", said);
    }

    @Test
    void aBrokenTraceIsRefusedWithTheLine() throws Exception {
        Files.writeString(folder.resolve("bad.swf"), "; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 x -1 1 1 1 1 1 1 -1 -1\n");

        assertRefused(
                GOOD.replace("workload: none", "workload: bad.swf"),
                Map.of(),
                "s.yaml:3:17: workload: ",
                "bad.swf:2:20: ");
    }

    @Test
    void aTraceThatWasNotGivenIsAskedFor() throws Exception {
        assertRefused(
                GOOD.replace("workload: none", "workload: kth"),
                Map.of(),
                "there is no trace (kth)",
                "Maybe give its file: --trace kth=FILE.swf.gz.");
    }

    @ParameterizedTest
    @CsvSource({
        "prefer, best, 'expected start, rank or cost, not (best)'",
        "sites.a.cost, -1, expected a number from 0",
        "streams.meta.nodes, 0..3, expected a number of nodes",
        "streams.meta.nodes, 5..3, expected a number of nodes",
        "streams.meta.nodes, 120%, expected a number of nodes",
        "streams.meta.duration, 1y, expected a length",
        "streams.meta.duration, 3654d, expected a length from 1s to 3653d",
        "streams.meta.parts, 3, expected 1 to 2 sites",
        "streams.meta.sites, z, there is no site (z) here",
        "streams.meta.given-start, 1.5, expected a number from 0 to 1",
        "sites.a.backfilling, esay, 'expected conservative, easy or first-fit'",
        "sites.a.reservable, 2, expected a number from 0 to 1",
        "sites.a.estimates, 2, expected a number from 0 to 1",
        "sites.a.from, by-seed, by-seed needs a 'length' that is shorter than the workload",
        "warm-up, 900d, nothing is left to measure",
        "warm-up, -PT1H, expected a duration that is not negative",
        "cut, -PT1H, expected a duration that is not negative",
        "lead, -PT1H, expected a duration that is not negative",
        "sites.a.from, -PT1H, expected a duration that is not negative",
        "streams.meta.patience, -PT1H, expected a duration that is not negative",
        "streams.meta.tolerance, -PT1H, expected a duration that is not negative",
        "cut, 900d, 'cut: nothing is left to measure'"
    })
    void aWrongValueIsNamedWithWhatWasExpected(String path, String value, String said) throws Exception {
        assertRefused("policy: choice\n" + GOOD, Map.of(path, value), said);
    }

    @Test
    void aStreamWithACommaWouldBreakTheLinesOfResults() throws Exception {
        assertRefused(
                GOOD.replace("  meta:", "  'a,b':"), Map.of(), "a,b: expected the name of a stream without a comma");
    }

    @Test
    void aShareOfTheNodesIsNotANodeTooFew() throws Exception {
        var site = reader(GOOD)
                .read(Map.of("sites.a.nodes", "100", "sites.a.reservable", "0.29"))
                .sites()
                .get(0);

        assertThat(site.reservable()).isEqualTo(29);
    }

    @Test
    void partsOfAWorkloadHaveALength() throws Exception {
        assertRefused(GOOD, Map.of("length", "PT0.5S", "sites.a.from", "by-seed"), "by-seed needs a 'length'");
    }

    @Test
    void eitherARateOrAShareMustBeThere() throws Exception {
        assertRefused(GOOD, Map.of("streams.meta.share", "0.1"), "expected either per-day (jobs) or share");
        assertRefused(GOOD.replace("per-day: 3, ", ""), Map.of(), "expected either per-day (jobs) or share");
    }

    @Test
    void alterationsAndTheSweepNameValuesByPath() throws Exception {
        var reader = reader(GOOD + "sweep:\n  streams.meta.per-day: [1, 2]\n  seed: [1, 2, 3]\n");

        assertThat(reader.sweep())
                .containsExactly(
                        Map.entry("streams.meta.per-day", List.of("1", "2")),
                        Map.entry("seed", List.of("1", "2", "3")));
        assertThat(reader.read(Map.of("seed", "9", "length", "3d")))
                .extracting(Scenario::seed, Scenario::length)
                .containsExactly(9L, Duration.ofDays(3));
    }

    @Test
    void windowsOfTheWorkloadFollowEachOtherBySeed() throws Exception {
        var reader = reader(GOOD.replace("jobs: 100", "jobs: 100, from: by-seed") + "length: 6h\n");
        var whole = reader(GOOD).read(Map.of()).sites().get(0).workload().jobs();
        long windows = whole.get(whole.size() - 1).submitSeconds() / 21_600;

        assertThat(windows).isGreaterThan(2);
        for (long seed = 1; seed <= windows + 1; seed++) {
            long begin = (seed - 1) % windows * 21_600;
            assertThat(reader.read(Map.of("seed", String.valueOf(seed)))
                            .sites()
                            .get(0)
                            .workload()
                            .jobs())
                    .extracting(LocalJob::submitSeconds)
                    .containsExactlyElementsOf(whole.stream()
                            .map(job -> job.submitSeconds() - begin)
                            .filter(second -> second >= 0 && second < 21_600)
                            .toList());
        }
    }

    /** A hundred jobs of one user, of one to eight nodes, in nine weeks. */
    private void trace(String... more) throws Exception {
        var lines = new ArrayList<>(List.of("; MaxProcs: 8"));
        for (int job = 1; job <= 100; job++) {
            lines.add(job + " " + job * 54_000 + " 0 3600 " + (1 + job % 8) + " -1 -1 -1 3600 -1 1 1 1 1 1 1 -1 -1");
        }
        lines.addAll(List.of(more));
        Files.write(folder.resolve("t.swf"), lines);
    }

    private static Workload workload(Scenario scenario, int site) {
        return scenario.sites().get(site).workload();
    }

    @Test
    void noSiteRepeatsTheWeeksOfItsNeighbourUnderAnotherSeed() throws Exception {
        trace();
        var reader = reader("""
                sites:
                  s01: {workload: t.swf, resample: true}
                  s02: {workload: t.swf, resample: true}
                  s03: {workload: synthetic, nodes: 8, jobs: 50, resample: true}
                  s04: {workload: synthetic, nodes: 8, jobs: 50, resample: true}
                """);
        var drawn = new HashSet<Workload>();
        for (int seed = 1; seed <= 4; seed++) {
            var scenario = reader.read(Map.of("seed", String.valueOf(seed)));
            scenario.sites().forEach(site -> drawn.add(site.workload()));
        }

        assertThat(drawn.size()).isEqualTo(16);
    }

    @Test
    void theLoadIsThatOfTheSitesNodesByTheJobsThatFit() throws Exception {
        trace();
        var reader = reader("sites: {a: {workload: t.swf, nodes: 4, load: 0.5}}\n");

        var workload = workload(reader.read(Map.of()), 0);

        assertThat(workload.nodes()).isEqualTo(4);
        assertThat(workload.jobs()).hasSize(51).allMatch(job -> job.nodes() <= 4);
        assertThat(workload.load()).isCloseTo(0.5, within(0.001));
        assertThat(reader.warnings())
                .containsExactly(
                        "warning: The site (a) has 4 nodes; 49 jobs of its workload need more and are left out.");
    }

    @Test
    void partsOfACheckpointedJobAreNotReplayedBesideIt() throws Exception {
        String part = " 5400001 0 1800 4 -1 -1 -1 3600 -1 %d 1 1 1 1 1 -1 -1";
        trace("101" + String.format(part, 2), "101" + String.format(part, 3), "101" + String.format(part, 4));

        var scenario = reader("""
                sites: {a: {workload: t.swf}}
                streams: {meta: {arrivals: trace, workload: t.swf}}
                """).read(Map.of());

        assertThat(workload(scenario, 0).jobs()).hasSize(100);
        assertThat(((StreamScenario.Arrivals.Traced) scenario.streams().get(0).arrivals()).jobs())
                .hasSize(100);
    }

    @Test
    void namesOfSitesMayHaveDotsInPaths() throws Exception {
        var scenario =
                reader("""
                        sites: {a: {workload: none, nodes: 8}, a.x: {workload: none, nodes: 16}}
                        streams: {m.1: {per-day: 3, nodes: 2, duration: 1h}}
                        """).read(Map.of("sites.a.x.nodes", "32", "sites.a.nodes", "4", "streams.m.1.parts", "1"));

        assertThat(scenario.sites()).extracting(SiteScenario::nodes).containsExactly(4, 32);
        assertThat(scenario.streams().get(0).parts()).isEqualTo(RandomAmount.of(1));
    }

    @Test
    void aSweepCannotBeSetFromTheCommandLine() throws Exception {
        assertRefused(
                GOOD + "sweep: {seed: [1, 2]}\n",
                Map.of("sweep.seed", "[3]"),
                "--set sweep.seed: ",
                "Maybe --set PATH=VALUE was meant");
        assertRefused(GOOD, Map.of("sweep", "{seed: [3]}"), "--set sweep: ");
    }

    @Test
    void estimatesComeNearerToTheRunTimes() throws Exception {
        var reader = reader(GOOD);
        var asGiven = reader.read(Map.of()).sites().get(0).workload().jobs();
        var half = reader.read(Map.of("sites.a.estimates", "0.5"))
                .sites()
                .get(0)
                .workload()
                .jobs();
        var exact = reader.read(Map.of("sites.a.estimates", "1"))
                .sites()
                .get(0)
                .workload()
                .jobs();

        assertThat(asGiven).anyMatch(job -> job.estimateSeconds() > 2 * job.runSeconds());
        assertThat(exact).allMatch(job -> job.estimateSeconds() == Math.max(1, job.runSeconds()));
        for (int i = 0; i < asGiven.size(); i++) {
            double middle = (asGiven.get(i).estimateSeconds() + asGiven.get(i).runSeconds()) / 2.0;
            assertThat((double) half.get(i).estimateSeconds()).isCloseTo(middle, within(1.0));
        }
    }

    @Test
    void aPolicyIsReadFromTheFileOfASite() throws Exception {
        Files.writeString(folder.resolve("site.yaml"), "site: a\npolicy:\n  rules: [{name: r, longst: 1h}]\n");
        assertRefused(GOOD, Map.of("sites.a.policy", "site.yaml"), "site.yaml:3:", "Maybe 'longest' was meant");

        Files.writeString(folder.resolve("site.yaml"), "site: a\n");
        assertRefused(GOOD, Map.of("sites.a.policy", "site.yaml"), "site.yaml", "expected the rules of a site");
        assertRefused(GOOD, Map.of("sites.a.policy", "none.yaml"), "none.yaml");
    }

    @Test
    void aRangeIsDrawnLogUniformly() {
        var spread = new RandomAmount(List.of(1.0, 100.0), true);
        var random = new Random(1);

        long below = java.util.stream.IntStream.range(0, 10_000)
                .filter(i -> spread.draw(random) < 10)
                .count();

        assertThat(below).isBetween(4800L, 5200L);
    }
}
