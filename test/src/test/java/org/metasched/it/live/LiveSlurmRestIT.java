package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LocalScheduler;

/** Slurm 26.05 of {@code test/live/start-slurm2605.sh}, by slurmrestd. */
@ResourceLock("slurm2605")
class LiveSlurmRestIT extends LiveSlurmContract {

    LiveSlurmRestIT() {
        super("slurm2605");
    }

    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @ValueSource(strings = {"v0.0.43", "v0.0.44", "v0.0.45"})
    void reservesAndChangesByEachVersion(String version) throws Exception {
        Instant start = hoursAhead(27);

        try (LocalScheduler site = live().open(yaml -> yaml + "  api-version: " + version + "\n")) {
            var held = site.reserve(newKey(), nodes(2), start);
            var more = site.reservationChange().orElseThrow().change(held.id(), nodes(3), start);

            assertThat(more.granted().amount()).isEqualTo(3);
            assertThat(site.state(held.id()).reservation()).isEqualTo(more);
            assertThat(userOf(held)).contains("Users=gridalice ");
            site.cancel(held.id());
        }
    }

    @LiveTest
    void runsTheProgramsOfTheKitIn(@TempDir Path folder) throws Exception {
        runsTheProgramsOfTheKit(folder);
    }
}
