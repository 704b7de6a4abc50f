package org.metasched.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;
import org.metasched.adapter.simulated.SwfTrace;
import org.metasched.adapter.simulated.Workload;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.simulation.result.LocalRecord;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.SiteScenario;
import org.metasched.simulation.scenario.StartSearchPolicy;

/** Without meta-jobs, every local job starts when the rules of its policy say, and the published figures come out. */
class BackfillingOracleTest {

    private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");

    private static List<LocalRecord> simulated(Workload workload, Backfilling policy) throws InterruptedException {
        var window = new PreviewWindow(Duration.ofDays(7));
        var site = new SiteScenario(
                new SiteId("one"),
                workload,
                workload.nodes(),
                policy,
                true,
                window,
                workload.nodes(),
                0,
                Map.of(),
                0,
                Optional.empty());
        long last = workload.jobs().get(workload.jobs().size() - 1).submitSeconds();
        var scenario = new Scenario(
                "oracle",
                1,
                BEGIN,
                Duration.ofSeconds(last + 1),
                Duration.ZERO,
                Duration.ZERO,
                false,
                new StartSearchPolicy.Windows(),
                NegotiationBudget.DEFAULT,
                List.of(site),
                List.of(),
                Map.of());
        return Simulation.run(scenario, RunProgress.NONE).local();
    }

    private static void assertJobForJob(Workload workload, Backfilling policy, List<LocalRecord> records) {
        Map<LocalJob, Long> starts = new HashMap<>();
        records.forEach(record -> starts.put(record.job(), record.start()));
        assertThat(starts).isEqualTo(RuleModel.starts(workload.nodes(), policy, workload.jobs()));
    }

    @ParameterizedTest
    @EnumSource(names = {"EASY", "CONSERVATIVE"})
    void startsAreThoseOfTheRulesInRandomCases(Backfilling policy) throws InterruptedException {
        for (int seed = 0; seed < 60; seed++) {
            var workload = randomWorkload(seed);

            assertJobForJob(workload, policy, simulated(workload, policy));
        }
    }

    /** Crowded: many jobs at one second, equal estimates, jobs that end at once or run as long as they may. */
    private static Workload randomWorkload(int seed) {
        var random = new Random(seed);
        int nodes = 1 + random.nextInt(24);
        var jobs = new ArrayList<LocalJob>();
        for (int i = 0; i < 200; i++) {
            long estimate = 10 * (1 + random.nextInt(30));
            long run = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> estimate;
                default -> random.nextInt((int) estimate + 1);
            };
            jobs.add(new LocalJob(i, 10 * random.nextInt(800), run, estimate, 1 + random.nextInt(nodes)));
        }
        return new Workload("random", nodes, jobs);
    }

    @ParameterizedTest
    @CsvSource({
        "NASA-iPSC-1993-3.1-cln.swf.gz, EASY, 20000, 18239, 4.028, 768.915, 1.012, 7949022",
        "NASA-iPSC-1993-3.1-cln.swf.gz, CONSERVATIVE, 20000, 18239, 4.028, 768.915, 1.012, 7949022",
        "KTH-SP2-1996-2.1-cln.swf.gz, EASY, 30000, 28475, 6837.226, 15690.277, 92.870, 29363626",
        "KTH-SP2-1996-2.1-cln.swf.gz, CONSERVATIVE, 5000, 5000, 9705.694, 16725.671, 141.556, 6857955"
    })
    void figuresOfTheArchivesTracesComeOut(
            String file,
            Backfilling policy,
            int most,
            int jobs,
            double wait,
            double response,
            double slowdown,
            long end)
            throws Exception {
        var trace = Path.of(System.getProperty("metasched.shared", "."))
                .resolve("swf")
                .resolve(file);
        assumeTrue(Files.exists(trace), "The trace " + file + " is not here, so that its figures are not compared.");
        var all = Workload.asRequested(SwfTrace.read(trace));
        var workload = new Workload(
                all.name(), all.nodes(), all.jobs().stream().limit(most).toList());

        var records = simulated(workload, policy);

        assertThat(records).hasSize(jobs);
        assertThat(mean(records, r -> r.waited())).isCloseTo(wait, within(0.001));
        assertThat(mean(records, r -> r.end() - r.submitted())).isCloseTo(response, within(0.001));
        assertThat(mean(records, LocalRecord::boundedSlowdown)).isCloseTo(slowdown, within(0.001));
        assertThat(records.stream().mapToLong(LocalRecord::end).max()).hasValue(end);
        assertJobForJob(workload, policy, records);
    }

    private static double mean(List<LocalRecord> records, java.util.function.ToDoubleFunction<LocalRecord> value) {
        return records.stream().mapToDouble(value).average().orElseThrow();
    }
}
