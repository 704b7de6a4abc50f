package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess.Ended;

/** A folder with two sites, stand-ins for Slurm's commands, and what is bound and run in it on the command line. */
abstract class BoundWorkflow {

    @TempDir
    Path folder;

    private Path bin = Path.of("");

    @BeforeEach
    void standIn() throws IOException {
        bin = Files.createDirectory(folder.resolve("bin"));
        SlurmStandIn.install(bin);
        String ad = "Name = \"%s\"\nMaxMatches = 9\nRequirements = CurMatches < MaxMatches\n\n";
        write("site.ads", ad.formatted("slurm") + ad.formatted("other"));
    }

    Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text.replace("@", folder.toString()));
    }

    void program(String name, String text) throws IOException {
        Path file = write(name, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    void bind(String dag, String out) {
        ends(
                "dag",
                "bind",
                folder.resolve(dag).toString(),
                "--out",
                folder.resolve(out).toString());
    }

    void ends(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--sites", folder + "/site.ads", "--ledger", folder + "/ledger"));
        Ended ended = CliProcess.here(all.toArray(String[]::new));
        assertThat(ended.exit()).as(ended.err()).isZero();
    }

    void runs(String bound, String without) throws IOException {
        var words = new ArrayList<>(List.of("dag", "run", folder.resolve(bound).toString(), "--follow"));
        words.addAll(List.of("--poll", "1", "--sbatch", bin + "/sbatch", "--without", without));
        Ended run = CliProcess.here(words.toArray(String[]::new));
        assertThat(run.exit()).as(() -> run.err() + run.out() + logs(bound)).isZero();
    }

    private String logs(String bound) {
        var text = new StringBuilder();
        try (var files = Files.walk(folder.resolve(bound))) {
            for (Path file : files.filter(path -> path.toString().matches(".*\\.(log|err)"))
                    .toList()) {
                text.append(file).append(": ").append(Files.readString(file)).append('\n');
            }
        } catch (IOException e) {
            text.append(e);
        }
        return text.toString();
    }
}
