package org.metasched.simulation.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.simulation.scenario.ScenarioReader;

class MetaJobStreamTest {

    private static final String SITES =
            "length: 100d\nsites: {a: {workload: none, nodes: 100}, b: {workload: none, nodes: 300}}\n";

    @TempDir
    private Path folder;

    private List<MetaJob> jobs(String stream) throws Exception {
        var file = Files.writeString(folder.resolve("s.yaml"), SITES + "streams: {meta: {" + stream + "}}\n");
        return MetaJobStream.of(ScenarioReader.open(file, Map.of()).read(Map.of()));
    }

    private static int total(MetaJob job) {
        return job.parts().stream()
                .mapToInt(part -> part.request().need().amount())
                .sum();
    }

    @Test
    void aRateIsKeptOnAverage() throws Exception {
        assertThat(jobs("per-day: 30, nodes: 4, duration: 1h").size() / 100.0).isCloseTo(30, within(2.0));
    }

    @Test
    void aShareIsWhatTheJobsAskForOfWhatTheMachinesCouldDo() throws Exception {
        double asked = jobs("share: 0.2, nodes: 5%..50%, duration: 30m..8h").stream()
                .mapToDouble(job -> (double) total(job) * job.duration().toSeconds())
                .sum();

        assertThat(asked / (400.0 * 100 * 86_400)).isCloseTo(0.2, within(0.02));
    }

    @Test
    void moreComeByDayThanByNight() throws Exception {
        var hours = jobs("arrivals: daily, per-day: 100, nodes: 4, duration: 1h").stream()
                .map(job -> job.submitted().getEpochSecond() / 3600 % 24)
                .toList();

        assertThat(hours.stream().filter(hour -> hour >= 12 && hour < 16).count())
                .isGreaterThan(4 * hours.stream().filter(hour -> hour < 4).count());
        assertThat(hours.size() / 100.0).isCloseTo(100, within(5.0));
    }

    @Test
    void jobsOfATraceAreSplitByTheSizesOfTheMachines() throws Exception {
        Files.writeString(folder.resolve("t.swf"), """
                1 10 0 600 40 -1 -1 40 3600 -1 1 1 1 1 3 1 -1 -1
                2 20 0 600 40 -1 -1 40 3600 -1 1 1 1 1 2 1 -1 -1
                3 30 0 600  3 -1 -1  3   -1 -1 1 1 1 1 3 1 -1 -1
                """);

        var jobs = jobs("arrivals: trace, workload: t.swf, only: queue=3");

        assertThat(jobs).hasSize(2).allSatisfy(job -> assertThat(job.parts()).hasSize(2));
        assertThat(jobs.get(0).parts())
                .extracting(part -> part.site().value() + part.request().need().amount())
                .containsExactlyInAnyOrder("a10", "b30");
        assertThat(jobs.get(0))
                .extracting(MetaJob::duration, MetaJob::run)
                .containsExactly(Duration.ofHours(1), Duration.ofMinutes(10));
        assertThat(total(jobs.get(1))).isEqualTo(3);
        assertThat(jobs.get(1).duration()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void anEstimateOfMoreThanTenYearsIsReservedForTen() throws Exception {
        Files.writeString(folder.resolve("t.swf"), "1 10 0 600 4 -1 -1 4 2147483647 -1 1 1 1 1 3 1 -1 -1\n");

        assertThat(jobs("arrivals: trace, workload: t.swf"))
                .extracting(MetaJob::duration, MetaJob::run)
                .containsExactly(tuple(Duration.ofDays(3653), Duration.ofMinutes(10)));
    }

    @Test
    void partsOfAChainBeginWhenTheOneBeforeEnds() throws Exception {
        assertThat(jobs("per-day: 1, nodes: 4, duration: 1h, order: chain"))
                .isNotEmpty()
                .allSatisfy(job -> assertThat(job.parts())
                        .extracting(SitePart::offset)
                        .containsExactly(Duration.ZERO, Duration.ofHours(1)));
    }

    @Test
    void aGivenStartMayBeMissedByItsToleranceOnly() throws Exception {
        assertThat(jobs("per-day: 1, nodes: 4, duration: 1h, given-start: 1, book-ahead: 2h, tolerance: 5m"))
                .isNotEmpty()
                .allSatisfy(job -> {
                    assertThat(job.earliest()).isEqualTo(job.submitted().plus(Duration.ofHours(2)));
                    assertThat(job.request().latestStart())
                            .isEqualTo(job.earliest().plus(Duration.ofMinutes(5)));
                });
    }
}
