package org.metasched.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;
import org.metasched.simulation.ReservationModel.Wish;
import org.metasched.simulation.result.MetaRecord;
import org.metasched.simulation.result.RunRecords;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.ScenarioReader;
import org.metasched.simulation.stream.MetaJob;
import org.metasched.simulation.stream.MetaJobStream;

/** Local jobs and reservations beside each other start when an independent model says. */
class ReservationOracleTest {

    private static final int CASES = Integer.getInteger("metasched.reservation.cases", 60);
    private static final long LEAD = 10;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"EASY", "CONSERVATIVE"})
    void localJobsAndReservationsStartByTheRules(Backfilling policy) throws Exception {
        long granted = 0;
        long refused = 0;
        for (int seed = 1; seed <= CASES; seed++) {
            var scenario = scenario(policy, seed);
            var site = scenario.sites().get(0);
            var wishes = MetaJobStream.of(scenario).stream()
                    .map(job -> wish(scenario, job))
                    .toList();

            var records = Simulation.run(scenario, RunProgress.NONE);

            var model = new ReservationModel(site.nodes(), policy);
            model.run(site.workload().jobs(), wishes);
            assertThat(records.meta().stream().map(MetaRecord::start).toList())
                    .as("reservations of seed %s", seed)
                    .isEqualTo(model.granted());
            assertThat(starts(records)).as("local jobs of seed %s", seed).isEqualTo(model.starts());
            granted += records.meta().stream().filter(MetaRecord::granted).count();
            refused += records.meta().stream().filter(one -> !one.granted()).count();
        }
        System.out.printf("%s: %d reservations granted, %d refused, alike%n", policy, granted, refused);
        assertThat(granted).isGreaterThan(CASES);
        assertThat(refused).isGreaterThan(CASES);
    }

    private static Map<LocalJob, Long> starts(RunRecords records) {
        Map<LocalJob, Long> starts = new HashMap<>();
        records.local().forEach(record -> starts.put(record.job(), record.start()));
        return starts;
    }

    private static Wish wish(Scenario scenario, MetaJob job) {
        long submitted = second(scenario, job.submitted());
        return new Wish(
                submitted,
                Math.max(submitted + LEAD, second(scenario, job.earliest())),
                second(scenario, job.latest()),
                job.parts().get(0).request().need().amount(),
                job.duration().toSeconds(),
                job.run().toSeconds());
    }

    private static long second(Scenario scenario, java.time.Instant instant) {
        return instant.getEpochSecond() - scenario.begin().getEpochSecond();
    }

    /** Crowded: many jobs at one second, equal estimates, jobs that end at once or run as long as they may. */
    private Scenario scenario(Backfilling policy, int seed) throws Exception {
        var random = new Random(seed);
        int nodes = 2 + random.nextInt(24);
        var lines = new ArrayList<String>(List.of("; MaxProcs: " + nodes));
        for (int i = 0; i < 120; i++) {
            long estimate = 10 * (1 + random.nextInt(30));
            long run = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> estimate;
                default -> random.nextInt((int) estimate + 1);
            };
            int wanted = 1 + random.nextInt(nodes);
            lines.add(String.format(
                    "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1",
                    i, 10 * random.nextInt(800), run, wanted, wanted, estimate));
        }
        Files.write(folder.resolve("t.swf"), lines);
        String name = policy.name().toLowerCase(Locale.ROOT);
        Files.writeString(folder.resolve("s.yaml"), """
                length: 8000s
                lead: 10s
                baseline: false
                seed: %d
                sites: {a: {workload: t.swf, backfilling: %s}}
                streams:
                  meta: {per-day: 500, parts: 1, nodes: 1..%d, duration: 30s..10m, run: 0.3..1,
                         given-start: 0.5, book-ahead: 1m..30m, patience: 30m}
                """.formatted(seed, name, nodes));
        return ScenarioReader.open(folder.resolve("s.yaml"), Map.of()).read(Map.of());
    }
}
