package org.metasched.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationChecksTest {

    @TempDir
    private Path folder;

    @Test
    void unknownFreeSpaceIsNoMistake() {
        var finding = ConfigurationChecks.data(folder.resolve("data"), place -> {
            // What the JDK says in a chroot whose root is no mount point.
            throw new IOException("Mount point not found");
        });

        assertThat(finding.outcome()).isEqualTo("good");
        assertThat(finding.detail()).contains("free space unknown");
    }

    @Test
    void littleSpaceIsDoubtful() {
        assertThat(ConfigurationChecks.data(folder, place -> 1 << 20).outcome()).isEqualTo("doubtful");
    }
}
