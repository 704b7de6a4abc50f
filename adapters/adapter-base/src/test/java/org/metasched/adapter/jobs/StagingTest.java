package org.metasched.adapter.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;

/** Files that {@code job.sh} brings and takes away; scp and rsync are stand-ins that copy what the address names. */
class StagingTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"scp", "rsync"})
    void filesAreBroughtAndTakenAwayAsTheUser(String scheme) throws Exception {
        tool(scheme, "for last; do :; done; shift $(($# - 2)); cp \"${1#*://host}\" \"${last#*://host}\"");
        Files.writeString(folder.resolve("there"), "dear");

        var ended = run(
                new Transfer("in/letter", place(scheme, "there"), Optional.empty(), false, false, false),
                new Transfer("stdout", Optional.empty(), place(scheme, "answer"), false, false, false));

        assertThat(ended).isEqualTo("ended 0");
        assertThat(folder.resolve("answer")).hasContent("dear");
    }

    @Test
    void aFileThatCannotBeBroughtEndsTheJobBeforeItsProgram() throws Exception {
        tool("scp", "echo no such host >&2; exit 1");

        var ended = run(new Transfer("in/letter", place("scp", "letter"), Optional.empty(), false, false, false));

        assertThat(ended).startsWith("ended 74 a file could not be brought");
        assertThat(folder.resolve("job/stdout")).doesNotExist();
    }

    /** Four at once, each with its own argument, variable and output; each exit code is told. */
    @Test
    void theInstancesOfASweepRunOnceEach() throws Exception {
        var instances = IntStream.range(0, 9)
                .mapToObj(i -> new Program(
                        "sh",
                        List.of(
                                "-c",
                                "echo $METASCHED_RANK $SEED >> \"$METASCHED_DIR/ran\"; echo out of \"$1\"; exit $((SEED % 3))",
                                "x",
                                "it's " + i),
                        Map.of("SEED", "" + i),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("out" + i),
                        Optional.empty(),
                        1,
                        0,
                        Map.of(),
                        List.of(),
                        Optional.empty(),
                        List.of()))
                .toList();

        var ended = run(Program.swept(instances, 2).with(Map.of("METASCHED_RANK_OFFSET", "10")), "n1\nn2\n");

        assertThat(ended).isEqualTo("ended 1 exit codes of the instances: 0 1 2 0 1 2 0 1 2");
        assertThat(Files.readAllLines(folder.resolve("job/ran")))
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 9).mapToObj(i -> 10 + i + " " + i).toArray(String[]::new));
        for (int i = 0; i < 9; i++) {
            assertThat(folder.resolve("job/out" + i)).hasContent("out of it's " + i);
        }
    }

    private Optional<URI> place(String scheme, String name) {
        return Optional.of(URI.create(scheme + "://host" + folder + "/" + name));
    }

    private void tool(String name, String script) throws Exception {
        var tool = Files.createDirectories(folder.resolve("bin")).resolve(name);
        Files.writeString(tool, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What the job says at its end. */
    private String run(Transfer... transfers) throws Exception {
        var program = new Program(
                "cat",
                List.of("in/letter"),
                Map.of("METASCHED_RANK_OFFSET", "0"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                Map.of(),
                List.of(transfers),
                Optional.empty(),
                List.of());
        return run(program, "n1\n");
    }

    private String run(Program program, String nodes) throws Exception {
        var job = Files.createDirectories(folder.resolve("job"));
        Files.writeString(job.resolve("program"), ProgramFile.of(program, List.of()));
        Files.writeString(job.resolve("job.sh"), JobFolders.script());
        Files.writeString(job.resolve("machinefile"), nodes);
        Files.writeString(job.resolve("nodes"), nodes);
        var builder = new ProcessBuilder("sh", job + "/job.sh", job.toString());
        builder.environment().merge("PATH", folder.resolve("bin") + ":", (path, bin) -> bin + path);
        var process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(job.resolve("state")).strip();
    }
}
