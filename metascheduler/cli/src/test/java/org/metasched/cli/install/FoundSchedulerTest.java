package org.metasched.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoundSchedulerTest {

    @TempDir
    private Path folder;

    /** More than a pipe takes before it is read. */
    @Test
    void readsACommandThatPrintsMoreThanAPipeHolds() throws Exception {
        command("sinfo", "head -c 200000 /dev/zero | tr '\\0' '-'; echo; echo batch; echo long*");

        assertThat(FoundScheduler.in(folder.toString()))
                .containsExactly(FoundScheduler.SLURM, FoundScheduler.SIMULATED);
        assertThat(FoundScheduler.SLURM.choices(environment())).startsWith("long", "-".repeat(200_000), "batch");
    }

    @Test
    void tellsTheCommandsWhereTheSchedulerIs() throws Exception {
        command("sinfo", "echo $SLURM_CONF$SECRET");
        command("qconf", "exit 1");

        assertThat(FoundScheduler.SLURM.choices(environment())).containsExactly("cluster.conf");
        assertThat(FoundScheduler.GRIDENGINE.lines("all.q", environment())).contains("parallel-environment: CHANGE-ME");
        assertThat(FoundScheduler.OAR.choices(environment())).isEmpty();
    }

    /** The adapter takes no other: whole nodes cannot be reserved by it. */
    @Test
    void theParallelEnvironmentPutsAFixedNumberOfSlotsOnEachHost() throws Exception {
        command(
                "qconf",
                "case $* in -spl) echo fill; echo nodes ;; *fill) echo 'allocation_rule    $fill_up' ;;"
                        + " *) echo 'pe_name nodes'; echo 'allocation_rule    4' ;; esac");

        assertThat(FoundScheduler.GRIDENGINE.lines("all.q", environment())).contains("parallel-environment: nodes");
    }

    @Test
    void commandsOfAnUnusualFolderAreFoundAndRunByAUserInsteadOfRoot() throws Exception {
        command("pbsnodes", "exit 1");

        assertThat(FoundScheduler.PBS.runSettings(environment(), Optional.of("gridadm")))
                .isEqualTo(", path: ['" + folder + "'], prefix: [sudo, -n, -u, gridadm]");
        assertThat(FoundScheduler.SLURM.runSettings(Map.of("PATH", "/usr/bin"), Optional.empty()))
                .isEmpty();
        assertThat(FoundScheduler.OAR.programLines(true, false))
                .anyMatch(line -> line.startsWith("become: "))
                .anyMatch(line -> line.startsWith("programs: "));
        assertThat(FoundScheduler.SLURM.programLines(true, false)).anyMatch(line -> line.contains("become: [sudo"));
    }

    private Map<String, String> environment() {
        return Map.of("PATH", folder.toString(), "SLURM_CONF", "cluster.conf", "SECRET", "word");
    }

    private void command(String name, String script) throws Exception {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
