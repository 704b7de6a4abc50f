package org.metasched.simulation.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.simulation.result.MetaRecord.Held;
import org.metasched.simulation.result.MetaRecord.Outcome;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.ScenarioReader;
import org.metasched.simulation.stream.MetaJob;
import org.metasched.simulation.stream.MetaJobStream;

/** Ten nodes for a hundred seconds, by hand. */
class SiteUseTest {

    @TempDir
    private Path folder;

    private Scenario scenario() throws Exception {
        var file = folder.resolve("s.yaml");
        Files.writeString(file, """
                length: 100s
                sites: {a: {workload: none, nodes: 10}}
                streams: {meta: {per-day: 9000, parts: 1, nodes: 4, duration: 40s}}
                """);
        return ScenarioReader.open(file, Map.of()).read(Map.of());
    }

    @Test
    void sharesOfTheMachineAreIntegralsOverTime() throws Exception {
        var scenario = scenario();
        MetaJob job = MetaJobStream.of(scenario).get(0);
        var runs = new LocalRecord(0, new LocalJob(1, 0, 50, 60, 8), 0, 0, 50);
        // Waits from 10 to 50 for 4 nodes while 2 are idle, and from 50 to 60 while 10 less those reserved are.
        var waits = new LocalRecord(0, new LocalJob(2, 10, 20, 20, 4), 10, 60, 80);
        var meta = new MetaRecord(
                job, Outcome.GRANTED, "", Optional.of(60L), 1, 2, 1, List.of(new Held(0, 4, 50, 60, 90, 100)));

        var use = SiteUse.of(scenario, 0, new RunRecords(List.of(runs, waits), List.of(meta)));

        assertThat(use.local()).isCloseTo((8 * 50 + 4 * 20) / 1000.0, within(1e-9));
        assertThat(use.reserved()).isCloseTo(4 * 40 / 1000.0, within(1e-9));
        assertThat(use.used()).isCloseTo(4 * 30 / 1000.0, within(1e-9));
        assertThat(use.lost()).isCloseTo((2 * 40 + 4 * 10) / 1000.0, within(1e-9));
    }

    @Test
    void intervalsAreThoseOfStudentsT() {
        var estimate = ConfidenceEstimate.ofIndependent(List.of(1.0, 2.0, 3.0, 4.0, 5.0));

        // t(4) = 2.776, standard deviation 1.5811, over the root of 5.
        assertThat(estimate.mean()).isEqualTo(3);
        assertThat(estimate.halfWidth()).isCloseTo(1.963, within(0.001));
        assertThat(ConfidenceEstimate.ofIndependent(List.of(1.0)).halfWidth()).isNaN();
    }

    @Test
    void batchMeansOfASeriesThatDependsOnItselfAreWiderThanThoseOfIndependentValues() {
        double[] slow = new double[2000];
        for (int i = 0; i < slow.length; i++) {
            slow[i] = (i / 100) % 2;
        }
        double[] quick = new double[2000];
        for (int i = 0; i < quick.length; i++) {
            quick[i] = i % 2;
        }

        assertThat(ConfidenceEstimate.ofSeries(slow).mean()).isEqualTo(0.5);
        assertThat(ConfidenceEstimate.ofSeries(slow).halfWidth()).isGreaterThan(0.2);
        assertThat(ConfidenceEstimate.ofSeries(quick).halfWidth()).isZero();
    }
}
