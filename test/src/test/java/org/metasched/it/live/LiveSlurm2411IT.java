package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;

/** Slurm 24.11 of {@code test/live/start-slurm2411.sh}, by its commands. */
@ResourceLock("slurm2411")
class LiveSlurm2411IT extends LiveSlurmContract {

    LiveSlurm2411IT() {
        super("slurm2411");
    }

    /** Its v0.0.42 reads reservations only. */
    @LiveTest
    void itsSlurmrestdIsNamedTooOld() throws Exception {
        String url = Files.readString(live().folder().resolve("url")).strip();
        String access = "\n  url: " + url + "\n  token-file: " + live().folder() + "/token\n";

        try (LocalScheduler rest = live().open(yaml -> yaml.replace("type: slurm\n", "type: slurm-rest" + access))) {
            assertThatThrownBy(() -> rest.earliestStart(nodes(1), Instant.now()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("slurmrestd lacks the api-version")
                    .hasMessageContaining("[v0.0.43, v0.0.44, v0.0.45]");
        }
    }

    @LiveTest
    void runsTheProgramsOfTheKitIn(@TempDir Path folder) throws Exception {
        runsTheProgramsOfTheKit(folder);
    }
}
