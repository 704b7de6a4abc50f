package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmProcessesTest {

    @TempDir
    private Path folder;

    @Test
    void runsTheProgramOfTheUsersPathWithItsWordsAsTheyAre() throws Exception {
        program("sbatch", "printf '%s|' \"$@\"");

        String out = processes(Map.of()).run(List.of("sbatch", "--wrap=a b; c", "$HOME"));

        assertThat(out).isEqualTo("--wrap=a b; c|$HOME|");
    }

    @Test
    void slurmSeesItsConfigurationAndNothingElseOfTheUsers() throws Exception {
        program("scontrol", "echo \"$SLURM_CONF,$SBATCH_ACCOUNT,$TZ,$SECRET,$SLURM_JOB_ID\"");

        String out = processes(Map.of(
                        "SLURM_CONF", "/etc/slurm.conf",
                        "SBATCH_ACCOUNT", "grid",
                        "TZ", "UTC",
                        "SECRET", "word",
                        "SLURM_JOB_ID", "7"))
                .run(List.of("scontrol"));

        assertThat(out).isEqualTo("/etc/slurm.conf,grid,UTC,,\n");
    }

    @Test
    void aRefusalSaysWhatSlurmSaid() throws Exception {
        program("sbatch", "echo 'Invalid account' >&2; exit 1");

        assertThatThrownBy(() -> processes(Map.of()).run(List.of("sbatch", "x.sh")))
                .isInstanceOf(SlurmException.class)
                .hasMessageStartingWith("Slurm refused (sbatch x.sh): ")
                .hasMessageContaining("Invalid account");
    }

    @Test
    void aProgramThatIsNotThereIsNamedAndRelativeFoldersAreNotSearched() throws Exception {
        program("no-such-slurm-command", "echo found");
        String relative = Path.of("").toAbsolutePath().relativize(folder).toString();

        var processes = new SlurmProcesses(Map.of("PATH", relative + ":."));

        assertThatThrownBy(() -> processes.run(List.of("no-such-slurm-command")))
                .isInstanceOf(SlurmException.class)
                .hasMessageContaining("no-such-slurm-command");
    }

    private SlurmProcesses processes(Map<String, String> more) {
        var environment = new java.util.TreeMap<>(more);
        environment.put("PATH", folder + ":relative");
        return new SlurmProcesses(environment);
    }

    private void program(String name, String script) throws Exception {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
