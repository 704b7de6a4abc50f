package org.metasched.cli.dag;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine;

class DagResumeCommandTest {

    @TempDir
    private Path folder;

    /** A command whose options of output can be seen. */
    static final class Printing extends PrintingCommand {
        OutputOptions options() {
            return output;
        }
    }

    /** As {@code dag cancel} ends a run whose process of {@code dag run --follow} was killed. */
    @Test
    void anOptionOfTheLastRunIsNotGivenTwice() throws Exception {
        Files.createDirectory(folder.resolve(".metasched-slurm"));
        Files.write(folder.resolve(".metasched-slurm/command"), List.of("--poll=3", "--follow"));
        var command = new Printing();
        var unused = new CommandLine(command);
        var out = new PrintWriter(Writer.nullWriter());

        assertThatThrownBy(() -> DagResumeCommand.runAgain(folder, command.options(), out, List.of("--follow")))
                .isInstanceOf(ExitCodeException.class)
                .hasMessageContaining("holds no bound DAG");
    }
}
