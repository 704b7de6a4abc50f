package org.metasched.simulation.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.simulation.scenario.ScenarioReader;

class RunFingerprintTest {

    private static final String JOB = "1 0 0 60 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1\n";

    @TempDir
    private Path folder;

    private String fingerprint() throws Exception {
        var file = folder.resolve("s.yaml");
        Files.writeString(file, "sites:\n  a: {workload: own.swf, nodes: 4}\n  b: {workload: none, nodes: 4}\n");
        var reader = ScenarioReader.open(file, Map.of());
        var other = reader.read(Map.of("sites.a.workload", "none"));
        assertThat(reader.traceFiles()).isEmpty();
        assertThat(other.sites()).hasSize(2);
        return RunFingerprint.of(file, reader.read(Map.of()), reader.traceFiles());
    }

    @Test
    void aTraceThatIsNamedByItsPathIsPartOfIt() throws Exception {
        Files.writeString(folder.resolve("own.swf"), JOB);
        var before = fingerprint();

        Files.writeString(folder.resolve("own.swf"), JOB + JOB.replaceFirst("1 0", "2 5"));

        assertThat(fingerprint()).isNotEqualTo(before);
    }
}
