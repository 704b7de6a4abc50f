package org.metasched.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileSubmitTest {

    @TempDir
    Path folder;

    private List<JobAd> expand(String text) throws IOException, SubmitException {
        Files.writeString(folder.resolve("a.sub"), text);
        List<JobAd> ads = new ArrayList<>();
        SubmitDescription.expand(
                Path.of("a.sub"),
                SubmitContext.of(folder, Map.of("X", "$(HOME)")).withoutFileChecks(),
                List.of(),
                job -> ads.add(job.ad()));
        return ads;
    }

    @Test
    void macrosThatDoubleThemselvesAreStopped() {
        StringBuilder text = new StringBuilder("executable = x\na0 = " + "x".repeat(100) + "\n");
        for (int i = 1; i < 60; i++) {
            text.append("a" + i + " = $(a" + (i - 1) + ")$(a" + (i - 1) + ")\n");
        }
        text.append("arguments = $(a59)\nqueue\n");

        assertThatThrownBy(() -> expand(text.toString())).isInstanceOf(SubmitException.class);
    }

    @Test
    void aSettingThatDoublesItselfIsStopped() {
        String text = "executable = x\na = x\n" + "a = $(a)$(a)\n".repeat(40) + "queue\n";

        assertThatThrownBy(() -> expand(text))
                .isInstanceOf(SubmitException.class)
                .hasMessageContaining("too long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"executable = $(b)\nb = $(c)\nc = $(b)\nqueue\n", "executable = x\ninclude : a.sub\nqueue\n"})
    void circlesAreStopped(String text) {
        assertThatThrownBy(() -> expand(text)).isInstanceOf(SubmitException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"executable = x\nqueue 1000000000\n", "executable = x\nqueue 1000 from seq 1 1000000 |\n"})
    void tooManyJobsAndCommandsAreRefused(String text) {
        assertThatThrownBy(() -> expand(text)).isInstanceOf(SubmitException.class);
    }

    @Test
    void commandsAreNeverRun() {
        Path trace = folder.resolve("trace");

        assertThatThrownBy(() -> expand("executable = x\ninclude command : touch " + trace + "\nqueue\n"))
                .isInstanceOf(SubmitException.class);
        assertThatThrownBy(() -> expand("executable = x\nqueue a from touch " + trace + " |\n"))
                .isInstanceOf(SubmitException.class);

        assertThat(trace).doesNotExist();
    }

    @Test
    void aLineOfTenMegabytesIsRefused() {
        assertThatThrownBy(() -> expand("executable = " + "x".repeat(10 << 20) + "\nqueue\n"))
                .isInstanceOf(SubmitException.class)
                .hasMessageContaining("longer than");
    }
}
