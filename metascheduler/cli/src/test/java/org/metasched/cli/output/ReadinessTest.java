package org.metasched.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ReadinessTest {

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void aServiceManagerThatWaitsIsTold() throws Exception {
        Path told = folder.resolve("told");
        Path program = program("echo \"$@\" > " + told);

        Readiness.announce(output(), Map.of("NOTIFY_SOCKET", "/run/notify"), program.toString());

        assertThat(told).content().isEqualTo("--ready\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void withoutAServiceManagerNothingRuns() throws Exception {
        Path told = folder.resolve("told");
        Path program = program("touch " + told);

        Readiness.announce(output(), Map.of(), program.toString());

        assertThat(told).doesNotExist();
    }

    @Test
    void aMissingProgramIsSaidAndIsNotTheEnd() throws Exception {
        Readiness.announce(
                output(),
                Map.of("NOTIFY_SOCKET", "/run/notify"),
                folder.resolve("missing").toString());

        assertThat(err.toString()).contains("/run/notify").contains("missing");
    }

    private Path program(String line) throws Exception {
        Path program = Files.writeString(folder.resolve("notify"), "#!/bin/sh\n" + line + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private OutputOptions output() {
        var command = new Silent();
        new CommandLine(command).setErr(new PrintWriter(err, true));
        return command.output;
    }

    @Command(name = "silent")
    private static final class Silent {
        @Mixin
        private final OutputOptions output = new OutputOptions();
    }
}
