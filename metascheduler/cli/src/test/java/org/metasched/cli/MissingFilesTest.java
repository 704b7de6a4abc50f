package org.metasched.cli;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command that reads a file says alike why it cannot: each line is tried with a missing file, a folder, and bytes that are no text. */
class MissingFilesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "advertise FILE",
                "reserve --offer FILE",
                "reserve --workflow FILE",
                "reserve --site a:nodes=1 --duration 1h --token-file FILE",
                "reserve --site a:nodes=1 --duration 1h --ca FILE",
                "classad convert --from new --to json FILE",
                "classad match FILE FILE",
                "classad eval --ad FILE 1",
                "gang match --ads FILE",
                "dag check FILE",
                "dag bind FILE --sites FILE --out out",
                "submit expand FILE",
                "server --config FILE",
                "adapter check --config FILE",
                "adapter serve --config FILE",
                "publish --site-config FILE --server localhost:1 --once",
                "claim request FILE",
                "policy explain me --config FILE",
                "simulate run FILE --out out",
                "simulate run - --trace kth=FILE --out out",
                "doctor --config FILE",
                "demo --workload FILE",
                "status FILE",
            })
    void aFileThatCannotBeReadIsAnsweredInOneSentence(String line) throws IOException {
        String missing = run(line, folder.resolve("offer.xml"));
        assertThat(missing).contains("offer.xml").contains(": there is no such file.");

        if (line.contains("--ca ")) {
            return;
        }
        String directory = run(line, Files.createDirectories(folder.resolve("a-folder")));
        assertThat(directory).contains("a-folder").contains("this is a folder, where a file is expected.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "advertise FILE",
                "classad match FILE FILE",
                "gang match --ads FILE",
                "dag check FILE",
                "dag bind FILE --sites FILE --out out",
                "submit expand FILE",
                "server --config FILE",
                "adapter check --config FILE",
                "simulate run FILE --out out",
            })
    void aFileInUtf16IsNamedAsSuch(String line) throws IOException {
        for (var charset : List.of(UTF_16, UTF_16LE, UTF_16BE)) {
            Path file = folder.resolve(charset + ".txt");
            Files.writeString(file, "# first\na = 1\nb = \"x\"\n", charset);

            String said = run(line, file);

            assertThat(said)
                    .contains(file.getFileName().toString())
                    .containsOnlyOnce("UTF-16, or no text; UTF-8 is expected");
        }
    }

    private String run(String line, Path file) {
        var err = new StringWriter();
        int exit = Main.execute(
                new StringWriter(),
                new PrintWriter(err, true),
                line.replace("FILE", file.toString()).split(" "));
        assertThat(exit).as("%s", err).isEqualTo(2);
        return err.toString();
    }
}
