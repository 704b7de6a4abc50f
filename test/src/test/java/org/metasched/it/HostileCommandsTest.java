package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;

/**
 * Scheduler commands gone mad, behind real adapters with the limits they usually have: a hundred megabytes and more, on either
 * output, without an end, or silence.
 */
@Timeout(120)
class HostileCommandsTest {

    private static final List<String> COMMANDS = Stream.of(
                    "scontrol squeue sinfo scancel sacctmgr",
                    "oarstat oarsub oarnodes oardel",
                    "qstat qrsub qrstat qconf qselect qrdel qhost",
                    "pbsnodes pbs_rstat pbs_rsub pbs_rdel qmgr")
            .flatMap(line -> Stream.of(line.split(" ")))
            .toList();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "slurm, head -c 150000000 /dev/zero",
        "slurm, yes FREE",
        "slurm, head -c 150000000 /dev/zero >&2",
        "slurm, yes no | cat >&2",
        "oar, yes '{'",
        "gridengine, yes '<job_list>'",
        "pbs, yes 'Resv ID: R1'",
        "pbs, yes | tr -d '\\n'"
    })
    void aFloodIsCutOffAndItsSourceStopped(String type, String flood) throws Exception {
        try (var site = site(type, flood, "")) {
            var problem = catchThrowableOfType(Unreachable.class, () -> ask(site));

            assertThat(problem)
                    .hasMessageContaining("Site mad: the command (")
                    .hasMessageContaining("printed more than 33554432 bytes and was stopped");
            assertThat(problem.getMessage()).hasSizeLessThan(300);
            awaitNoCommand();
        }
    }

    @ParameterizedTest
    @CsvSource({"slurm", "oar", "gridengine", "pbs"})
    void silenceWithoutAnEndIsCutOffToo(String type) throws Exception {
        try (var site = site(type, "sleep 600", "run: {path: [%s], timeout: 1s}")) {
            var problem = catchThrowableOfType(Unreachable.class, () -> ask(site));

            assertThat(problem).hasMessageContaining("did not end within PT1S and was stopped");
            awaitNoCommand();
        }
    }

    @Test
    @Tag("full")
    void aSmallHeapIsEnoughForAnyFlood() throws Exception {
        prepare("head -c 150000000 /dev/zero | tr '\\\\0' x");
        var config = Files.writeString(folder.resolve("site.yaml"), configuration("slurm", ""));

        var check = CliProcess.run(
                folder, Map.of("JDK_JAVA_OPTIONS", "-Xmx128m"), "adapter", "check", "--config", config.toString());

        var said = check.out() + check.err();
        assertThat(check.exit()).as(said).isIn(1, 3);
        assertThat(said)
                .contains("printed more than 33554432 bytes")
                .doesNotContain("OutOfMemoryError")
                .doesNotContain("\tat ");
        assertThat(said.length()).isLessThan(20_000);
        awaitNoCommand();
    }

    private static void ask(LocalScheduler site) throws Exception {
        var start = site.earliestStart(
                ResourceRequest.nodes(1, Duration.ofHours(1)), Clock.systemUTC().instant());
        throw new AssertionError("Nobody can know a start (" + start + ") from this.");
    }

    private LocalScheduler site(String type, String command, String run) throws IOException {
        prepare(command);
        var yaml = YamlSettings.parse("site.yaml", configuration(type, run.formatted(folder)));
        return SiteConfiguration.from(yaml).open(AdapterCatalog.ofClassPath(), Clock.systemUTC());
    }

    private String configuration(String type, String run) {
        String more = switch (type) {
            case "slurm" -> ", partition: work";
            case "gridengine" -> ", queue: all.q, parallel-environment: mpi";
            default -> "";
        };
        return """
                site: mad
                zone: UTC
                %s
                scheduler: {type: %s%s}
                """.formatted(run.isEmpty() ? "run: {path: [" + folder + "]}" : run, type, more);
    }

    /** Every command of every scheduler takes note of its process and goes mad. */
    private void prepare(String command) throws IOException {
        for (var name : COMMANDS) {
            Files.writeString(
                    folder.resolve(name),
                    "#!/bin/sh\necho $$ >> '" + folder + "/pids'\n" + command + "\n",
                    StandardCharsets.UTF_8);
            Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** That some have run, and that none runs any more. */
    private void awaitNoCommand() throws IOException {
        var pids = Files.readAllLines(folder.resolve("pids"));
        assertThat(pids).isNotEmpty();
        Awaitility.await()
                .untilAsserted(() -> assertThat(pids.stream()
                                .map(pid -> ProcessHandle.of(Long.parseLong(pid)))
                                .filter(handle ->
                                        handle.map(ProcessHandle::isAlive).orElse(false)))
                        .isEmpty());
    }
}
