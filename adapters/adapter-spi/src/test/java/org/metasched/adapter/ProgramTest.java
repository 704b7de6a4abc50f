package org.metasched.adapter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.Program.Transfer;

class ProgramTest {

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "/etc/passwd", "../other", "a/../../b"})
    void aFileToTransferHasAPathBelowTheJobsDirectory(String name) {
        var source = Optional.of(URI.create("https://example.org/f"));

        assertThatThrownBy(() -> new Transfer(name, source, Optional.empty(), false, false, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The file to transfer (" + name + ") must be a path below the job's directory.");
    }
}
