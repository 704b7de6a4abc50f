package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.DagParser;

class InheritedEnvironmentTest {

    @TempDir
    private Path folder;

    @Test
    void theUsualVariablesAndThoseThatTheDagNamesAreHandedOnAndTheBindingWins() throws Exception {
        Path file = Files.writeString(folder.resolve("group.dag"), "JOB A a.sub\nENV GET Proxy Area\n");
        var dag = new DagParser().parse(file).dag();

        var environment = InheritedEnvironment.of(
                dag,
                Map.of("PATH", "/bin", "HOME", "/home/alice", "Proxy", "/tmp/x509", "Area", "/mine", "SECRET", "word"),
                Map.of("Area", "/site"));

        assertThat(environment)
                .isEqualTo(Map.of("PATH", "/bin", "HOME", "/home/alice", "Proxy", "/tmp/x509", "Area", "/site"));
    }
}
