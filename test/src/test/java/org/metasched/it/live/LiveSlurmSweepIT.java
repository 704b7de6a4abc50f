package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.it.CliProcess.Ended;

/** A sweep of simulations as an array job of the live Slurm, by the script of {@code examples/parco-evaluation}. */
@ResourceLock("slurm")
class LiveSlurmSweepIT {

    private static final Path SCRIPT =
            Path.of(System.getProperty("metasched.root"), "examples/parco-evaluation/slurm-array.sh");

    @TempDir
    Path folder;

    private final LiveSite live = LiveSite.named("slurm");

    @LiveTest
    void everyRunOfASweepIsATaskOfAnArrayJob() throws Exception {
        Path scenario = Files.writeString(folder.resolve("s.yaml"), """
                length: 4d
                sites:
                  a: {workload: synthetic, nodes: 32, jobs: 1000, load: 0.5, backfilling: easy}
                  b: {workload: synthetic, nodes: 16, jobs: 1000, load: 0.5, seed: 2}
                streams:
                  meta: {share: 0.1, nodes: 2..8, duration: 1h..3h, run: 0.5..1}
                sweep: {streams.meta.share: [0.05, 0.2], seed: [1, 2]}
                """);
        Path out = folder.resolve("sweep");
        String[] list = {"simulate", "run", scenario.toString(), "--out", out.toString(), "--list"};
        Ended listed = cli(list);
        assertThat(listed.out().lines()).hasSize(4);
        Path runs = Files.writeString(folder.resolve("runs.txt"), listed.out());
        Path program = Files.createDirectory(folder.resolve("bin")).resolve("metasched");
        Files.writeString(
                program,
                "#!/bin/sh\nexec "
                        + CliProcess.of().command().stream()
                                .map(word -> "'" + word + "'")
                                .collect(Collectors.joining(" "))
                        + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        String job = live.command(
                        "sbatch",
                        "--parsable",
                        "--array=1-4%2",
                        "--chdir=" + folder,
                        "--export=PATH=" + folder.resolve("bin") + ":/usr/bin:/bin",
                        SCRIPT.toString(),
                        runs.toString())
                .strip();

        assertThat(job).matches("\\d+");
        await().atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> live.command("squeue", "-h", "-j", job).isBlank());
        assertThat(cli(list).out()).as(logs()).isEmpty();
        JsonNode gathered = new ObjectMapper()
                .readTree(cli("simulate", "gather", out.toString(), "--json").out());
        assertThat(gathered.path("complete").asBoolean()).isTrue();
        assertThat(gathered.path("groups")).hasSize(2);
    }

    private String logs() throws Exception {
        try (var files = Files.list(folder)) {
            var all = new StringBuilder();
            for (var log :
                    files.filter(file -> file.toString().endsWith(".out")).toList()) {
                all.append(Files.readString(log));
            }
            return all.toString();
        }
    }

    private Ended cli(String... words) throws Exception {
        Ended ended = CliProcess.run(folder, Map.of(), words);
        assertThat(ended.exit()).as(ended.err()).isZero();
        return ended;
    }
}
