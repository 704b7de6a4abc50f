package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A dry run writes nothing and calls no scheduler. The one of {@code reserve} is in {@link ReserveNeedTest}, with a server. */
class DryRunTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();
    private Path scheduler = Path.of("");

    @BeforeEach
    void aBoundDag() throws Exception {
        scheduler = Files.writeString(folder.resolve("sbatch"), "#!/bin/sh\n: > '" + folder + "/called'\n");
        Files.setPosixFilePermissions(scheduler, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nJOB B a.sub\nPARENT A CHILD B\n");
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(
                folder.resolve("s.ads"), "Name = \"s\"\nMaxMatches = 2\nRequirements = CurMatches < MaxMatches\n");
        assertThat(run("dag bind @/d.dag --sites @/s.ads --ledger @/ledger --out @/bound"))
                .as(err.toString())
                .isZero();
    }

    /** @param line {@code @} in it is the folder */
    private int run(String line) {
        return Main.execute(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err, true),
                line.replace("@", folder.toString()).split(" "));
    }

    private Map<String, String> content() throws Exception {
        var content = new TreeMap<String, String>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList()) {
                content.put(
                        path.toString(),
                        Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS)
                                + (Files.isRegularFile(path) ? Files.readString(path) : ""));
            }
        }
        return content;
    }

    @Test
    void theseCommandsHaveADryRun() {
        var found = new ArrayList<String>();
        collect(Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(err)), found);

        assertThat(found).containsExactlyInAnyOrder("metasched dag bind", "metasched dag run", "metasched reserve");
    }

    private static void collect(CommandLine command, List<String> found) {
        var options = command.getCommandSpec().optionsMap().keySet();
        if (options.stream().anyMatch(option -> option.matches("--(dry|no-act|just-print|simulate).*"))) {
            found.add(command.getCommandSpec().qualifiedName());
        }
        command.getSubcommands().values().forEach(inner -> collect(inner, found));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dag run @/bound --sbatch @/sbatch --follow --dry-run",
                "dag run @/bound --sbatch @/sbatch --follow --dry-run --wait --json",
                "dag run @/bound --sbatch @/sbatch --launcher /bin/true --dry-run",
                "dag run @/bound --sbatch @/sbatch --launcher /bin/true --dry-run --wait",
                "dag bind @/d.dag --sites @/s.ads --ledger @/ledger --dry-run --dot @/x.dot --svg @/x.svg --explain",
                "dag bind @/d.dag --sites @/s.ads --ledger @/new --out @/other --dry-run",
                "dag bind @/d.dag --sites @/s.ads --ledger @/ledger --out @/bound --dry-run",
                "dag bind @/bound/d.dag --at-pre --out @/inner --dry-run",
            })
    void nothingIsWrittenAndNoSchedulerIsCalled(String line) throws Exception {
        Map<String, String> before = content();

        int exit = run(line);

        assertThat(exit).as(err.toString()).isZero();
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void whatCondorHasFinishedIsNotRunAgain() throws Exception {
        Files.writeString(folder.resolve("bound/d.dag.metrics"), "{\"exitcode\": 0}");

        for (String how : List.of("--follow", "--launcher /bin/true")) {
            assertThat(run("dag run @/bound --sbatch @/sbatch " + how)).isEqualTo(1);
        }

        assertThat(err.toString()).contains("has run to its end already", "d.dag.metrics");
        assertThat(folder.resolve("called")).doesNotExist();
    }

    @Test
    void whatTheNextCommandWouldEndIsLeftAsItIs() throws Exception {
        Files.move(folder.resolve("bound/metasched-match.json"), folder.resolve("bound/metasched-released.json"));
        Files.createDirectory(folder.resolve(".bound.rebinding"));
        Map<String, String> before = content();

        assertThat(run("dag run @/bound --sbatch @/sbatch --launcher /bin/true --dry-run"))
                .isZero();
        assertThat(run("dag bind @/d.dag --sites @/s.ads --ledger @/ledger --out @/bound --dry-run"))
                .isZero();

        assertThat(content()).isEqualTo(before);
    }
}
