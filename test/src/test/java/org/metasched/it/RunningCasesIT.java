package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases of running DAGs on a stand-in of Slurm's commands. {@code -Dmetasched.cases=400} for all, not two of each kind. */
@Tag("full")
class RunningCasesIT {

    private static final int KINDS = 25;
    private static final int AT_ONCE = 4;

    @TempDir
    private Path folder;

    @Test
    void statesAttemptsEventsOrderExitCodesAndRescueFilesAreAsExpected() throws Exception {
        Path shared = Path.of(System.getProperty("metasched.shared", "../shared"));
        Path file = Path.of(System.getProperty(
                "metasched.running", shared.resolve("dag/running-cases.jsonl").toString()));
        assumeTrue(Files.isReadable(file), "There are no cases of running DAGs at " + file + ".");
        List<String> lines = Files.readAllLines(file);
        int most = Math.min(lines.size(), Integer.getInteger("metasched.cases", KINDS));
        var plays = IntStream.range(0, most)
                // One of each kind in a row of cases that repeats them.
                .mapToObj(i -> lines.get(most < lines.size() ? (i * (lines.size() / most) + i) % lines.size() : i))
                .<Callable<PlayedDags.Played>>map(line -> () -> play(new ObjectMapper().readTree(line)))
                .toList();
        var pool = Executors.newFixedThreadPool(AT_ONCE);
        try {
            var differences = new ArrayList<String>();
            int events = 0;
            for (Future<PlayedDags.Played> played : pool.invokeAll(plays)) {
                played.get().difference().ifPresent(differences::add);
                events += played.get().events();
            }
            System.out.println(most + " DAGs on a stand-in of Slurm's commands, " + events + " scripts and jobs ran, "
                    + differences.size() + " DAGs differ");
            assertThat(differences).isEmpty();
            assertThat(events).isPositive();
        } finally {
            pool.shutdownNow();
        }
    }

    private PlayedDags.Played play(JsonNode one) throws Exception {
        Path top = folder.resolve(one.path("id").asText());
        Path bin = Files.createDirectories(top.resolve("bin"));
        SlurmStandIn.install(bin);
        Path refuses = Files.writeString(bin.resolve("refuses"), """
                #!/bin/bash
                # Whether a submission is to fail: the codes of the node, in the line of the attempt.
                name=$(cat "$1/name"); attempt=${name##*.}; node=${name#metasched-*-}; node=${node%%.*}
                cd "$(cat "$1/chdir")" && [ -e "$node.job" ] || exit 1
                mapfile -t lines < "$node.job"
                [ $attempt -ge ${#lines[@]} ] && attempt=$((${#lines[@]} - 1))
                [ "${lines[$attempt]}" = SUBMITFAIL ]
                """);
        assertThat(refuses.toFile().setExecutable(true)).isTrue();
        return new PlayedDags(folder, List.of("@/bin/sbatch"), hurriedClock(), Duration.ofMillis(5)).play(one);
    }

    /** A thousand times as fast as the world: what is repeated after a while is not waited for. */
    private static Clock hurriedClock() {
        Instant begun = Instant.now();
        InstantSource hurried =
                () -> begun.plus(Duration.between(begun, Instant.now()).multipliedBy(1000));
        return hurried.withZone(ZoneOffset.UTC);
    }
}
