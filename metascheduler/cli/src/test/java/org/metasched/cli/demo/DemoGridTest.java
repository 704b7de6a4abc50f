package org.metasched.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine;

class DemoGridTest {

    /** A command whose options of output can be seen. */
    static final class Printing extends PrintingCommand {
        OutputOptions options() {
            return output;
        }
    }

    @Test
    @Tag("full")
    void aTraceThatIsNamedAsAnotherSiteGetsAnotherName(@TempDir Path folder) throws Exception {
        String jobs = "; MaxProcs: 8\n1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1\n";
        Path scai = Files.writeString(folder.resolve("scai.swf"), jobs);
        Path licences = Files.writeString(folder.resolve("licences.swf"), jobs);
        var command = new Printing();
        new CommandLine(command).setErr(new PrintWriter(Writer.nullWriter()));

        try (var grid = new DemoGrid(List.of(licences, scai), 3, 0, false, command.options())) {
            assertThat(grid.clusters())
                    .extracting(site -> site.id().value())
                    .containsExactly("licences-1", "scai", "cesca");
        }
        try (var grid = new DemoGrid(List.of(scai), 2, 0, false, command.options())) {
            assertThat(grid.clusters()).extracting(site -> site.id().value()).containsExactly("scai", "scai-2");
        }
    }
}
