package org.metasched.simulation.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.simulation.sweep.ParallelProcesses.Order;

class ParallelProcessesTest {

    @TempDir
    private Path folder;

    @Test
    void allRunAndAFailureIsReportedWhateverItsEncoding() throws Exception {
        var failing = shell("a.log", "printf 'no f\\374r'; exit 3");
        var fine = shell("b.log", "echo fine; touch " + folder.resolve("done"));

        var failures = new ParallelProcesses(1).run(List.of(failing, fine), ended -> {});

        assertThat(failures).containsExactly(failing.log() + " (exit 3): no f\uFFFDr");
        assertThat(folder.resolve("done")).exists();
        assertThat(Files.exists(fine.log())).isFalse();
    }

    private Order shell(String log, String command) {
        return new Order(List.of("sh", "-c", command), folder.resolve(log));
    }
}
