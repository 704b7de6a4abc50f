package org.metasched.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.simulation.result.MetaRecord;
import org.metasched.simulation.result.RunRecords;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.ScenarioReader;

/** Runs over synthetic sites: what must hold of every run, and what is known of co-allocation. */
class SimulationTest {

    private static final String SCENARIO = """
            name: test
            seed: 1
            length: 10d
            warm-up: 1d
            sites:
              a: {workload: synthetic, nodes: 64, jobs: 3000, seed: 1, load: 0.6, backfilling: easy, bandwidth: 1000}
              b: {workload: synthetic, nodes: 32, jobs: 3000, seed: 2, load: 0.6, licences: {solver: 2}}
              c: {workload: synthetic, nodes: 48, jobs: 3000, seed: 3, load: 0.6, backfilling: first-fit}
            streams:
              meta:
                {share: 0.1, parts: 1..3, nodes: 10%..50%, duration: 30m..4h, run: 0.5..1, given-start: 0.4, book-ahead: 2h..1d,
                 bandwidth: 100, licences: {solver: 1}}
            """;

    @TempDir
    private Path folder;

    private Scenario scenario(String... alterations) throws Exception {
        var file = folder.resolve("test.yaml");
        Files.writeString(file, SCENARIO);
        Map<String, String> altered = new LinkedHashMap<>();
        for (var alteration : alterations) {
            var parts = alteration.split("=", 2);
            altered.put(parts[0], parts[1]);
        }
        return ScenarioReader.open(file, Map.of()).read(altered);
    }

    private RunRecords run(String... alterations) throws Exception {
        return Simulation.run(scenario(alterations), RunProgress.NONE);
    }

    private JsonNode figures(String... alterations) throws Exception {
        return RunEvaluation.of(scenario(alterations), SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                .figures();
    }

    @ParameterizedTest
    @ValueSource(strings = {"windows", "trial-and-error", "padded"})
    void theSameScenarioGivesTheSameBytes(String policy) throws Exception {
        for (var name : List.of("one", "two")) {
            var scenario = scenario("policy=" + policy, "step=15m", "padding=3");
            RunEvaluation.of(scenario, SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                    .write(folder.resolve(policy + name));
        }

        for (var file : List.of("run.json", "local-jobs.csv", "meta-jobs.csv")) {
            assertThat(folder.resolve(policy + "two").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve(policy + "one").resolve(file));
        }
    }

    @Test
    void anotherSeedGivesOtherMetaJobsAndTheSameLocalOnes() throws Exception {
        var one = run();
        var other = run("seed=2");

        assertThat(other.meta().get(0).job()).isNotEqualTo(one.meta().get(0).job());
        assertThat(other.local().stream().map(r -> r.job()).toList())
                .isEqualTo(one.local().stream().map(r -> r.job()).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"windows", "listing1", "trial-and-error", "padded"})
    void noSiteEverGivesMoreNodesThanItHas(String policy) throws Exception {
        var scenario = scenario("policy=" + policy, "step=15m", "padding=3");

        var records = Simulation.run(scenario, RunProgress.NONE);

        assertThat(records.meta()).filteredOn(MetaRecord::granted).isNotEmpty();
        for (int site = 0; site < scenario.sites().size(); site++) {
            assertThat(mostBusy(records, site))
                    .isBetween(1, scenario.sites().get(site).nodes());
        }
    }

    private record Change(long at, int nodes) {}

    private static int mostBusy(RunRecords records, int site) {
        var changes = new ArrayList<Change>();
        records.local().stream().filter(job -> job.site() == site).forEach(job -> {
            changes.add(new Change(job.start(), job.job().nodes()));
            changes.add(new Change(job.end(), -job.job().nodes()));
        });
        records.meta().stream()
                .flatMap(meta -> meta.held().stream())
                .filter(held -> held.site() == site)
                .forEach(held -> {
                    changes.add(new Change(held.from(), held.nodes()));
                    changes.add(new Change(held.until(), -held.nodes()));
                });
        changes.sort(java.util.Comparator.comparingLong(Change::at).thenComparingInt(Change::nodes));
        int busy = 0;
        int most = 0;
        for (var change : changes) {
            busy += change.nodes();
            most = Math.max(most, busy);
        }
        return most;
    }

    @Test
    void grantedJobsStartWhenTheyMayAndAllPartsTogether() throws Exception {
        var scenario = scenario();

        var granted = Simulation.run(scenario, RunProgress.NONE).meta().stream()
                .filter(MetaRecord::granted)
                .toList();

        assertThat(granted).isNotEmpty().allSatisfy(record -> {
            var start = scenario.begin().plusSeconds(record.start().orElseThrow());
            assertThat(start).isBetween(record.job().earliest(), record.job().latest());
            assertThat(record.held())
                    .allSatisfy(held ->
                            assertThat(held.usedFrom()).isEqualTo(record.start().get()));
        });
    }

    @Test
    void partsOfAWorkflowFollowEachOther() throws Exception {
        var granted = run("streams.meta.order=chain", "streams.meta.parts=2").meta().stream()
                .filter(MetaRecord::granted)
                .toList();

        assertThat(granted)
                .isNotEmpty()
                .allSatisfy(record -> assertThat(record.held().get(1).usedFrom()
                                - record.held().get(0).usedFrom())
                        .isEqualTo(record.job().duration().toSeconds()));
    }

    @Test
    void windowsAndListingOneFindTheSameStartsAndTrialAndErrorPaysMostMessages() throws Exception {
        var windows = figures("streams.meta.given-start=0", "baseline=false");
        var listing1 = figures("streams.meta.given-start=0", "policy=listing1", "baseline=false");
        var trial = figures("streams.meta.given-start=0", "policy=trial-and-error", "step=15m", "baseline=false");

        assertThat(listing1.path("local")).isEqualTo(windows.path("local"));
        assertThat(listing1.at("/meta/wait")).isEqualTo(windows.at("/meta/wait"));
        assertThat(windows.at("/meta/calls").asDouble())
                .isLessThanOrEqualTo(listing1.at("/meta/calls").asDouble());
        assertThat(listing1.at("/meta/calls").asDouble())
                .isLessThanOrEqualTo(trial.at("/meta/calls").asDouble());
    }

    @Test
    void localJobsAndGivenStartsSufferFromAGrowingShare() throws Exception {
        var none = figures("streams.meta.share=0");
        var some = figures("streams.meta.share=0.05", "streams.meta.given-start=1");
        var more = figures("streams.meta.share=0.3", "streams.meta.given-start=1");

        assertThat(none.at("/localChange/delay").asDouble()).isZero();
        assertThat(some.at("/localChange/delay").asDouble()).isPositive();
        assertThat(more.at("/localChange/delay").asDouble())
                .isGreaterThan(some.at("/localChange/delay").asDouble());
        assertThat(more.at("/meta/rejectionRate").asDouble())
                .isGreaterThan(some.at("/meta/rejectionRate").asDouble());
        assertThat(none.at("/machines/metaYield").isNull()).isTrue();
        // Noisy from run to run; that it falls over many is in docs/simulation.md.
        assertThat(more.at("/machines/metaYield").asDouble()).isBetween(0.2, 1.0);
    }

    @Test
    void paddingWastesWhatItReservesTooMuch() throws Exception {
        var exact = figures("baseline=false");
        var padded = figures("policy=padded", "padding=4", "baseline=false");

        assertThat(exact.at("/meta/heldUtilisation").asDouble()).isEqualTo(1);
        assertThat(padded.at("/meta/heldUtilisation").asDouble()).isLessThan(0.95);
        // Jobs run for half to all of what they reserve.
        assertThat(exact.at("/meta/reservationUtilisation").asDouble()).isBetween(0.6, 0.9);
        assertThat(padded.at("/meta/reservationUtilisation").asDouble()).isBetween(0.6 / 4, 0.9 / 4);
        assertThat(padded.at("/meta/rejectionRate").asDouble())
                .isGreaterThan(exact.at("/meta/rejectionRate").asDouble());
    }

    @Test
    void anAllowanceBoundsWhatIsReservedAtOnce() throws Exception {
        var records = run("sites.a.reservable=0.25", "streams.meta.share=0.3");

        var held = new RunRecords(List.of(), records.meta());
        assertThat(mostBusy(held, 0)).isBetween(1, 16);
        assertThat(mostBusy(held, 1)).isGreaterThan(8);
    }

    @Test
    void theRulesOfASiteHoldAsTheProductEnforcesThem() throws Exception {
        Files.writeString(folder.resolve("site.yaml"), """
                policy:
                  ledger: /nowhere/that/is/written
                  rules:
                    - {name: quarter, share: [{most: 25%}], longest: 2h}
                """);

        var records = run("sites.a.policy=site.yaml", "streams.meta.share=0.3");

        assertThat(mostBusy(new RunRecords(List.of(), records.meta()), 0)).isBetween(1, 16);
        assertThat(records.meta())
                .flatExtracting(MetaRecord::held)
                .filteredOn(held -> held.site() == 0)
                .isNotEmpty()
                .allMatch(held -> held.until() - held.from() <= 7200);
        assertThat(Path.of("/nowhere")).doesNotExist();
    }

    @Test
    void eachSeedHasLocalJobsOfItsOwnWhenTheyAreDrawnAgain() throws Exception {
        var one = run("sites.a.resample=true").local();
        var other = run("sites.a.resample=true", "seed=2").local();

        assertThat(other.stream().filter(job -> job.site() == 0).map(r -> r.job()))
                .doesNotContainSequence(one.get(0).job(), one.get(1).job());
        assertThat(other.stream().filter(job -> job.site() == 1).map(r -> r.job()))
                .containsExactlyElementsOf(one.stream()
                        .filter(job -> job.site() == 1)
                        .map(r -> r.job())
                        .toList());
    }
}
