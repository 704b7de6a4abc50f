package org.metasched.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulations as people run them, in processes of their own: killed, on a full disk, on another JDK. */
@Tag("full")
class SimulationIT {

    private static final List<String> FILES = List.of("run.json", "local-jobs.csv", "meta-jobs.csv");
    private static final String SCENARIO = """
            length: 8d
            sites:
              a: {workload: synthetic, nodes: 64, jobs: 3000, load: 0.7, backfilling: easy}
              b: {workload: synthetic, nodes: 32, jobs: 3000, load: 0.7, seed: 2, licences: {solver: 2}}
            streams:
              meta: {share: 0.1, nodes: 10%..50%, duration: 1h..3h, run: 0.5..1, given-start: 0.5, book-ahead: 1h..6h,
                     licences: {solver: 1}}
            """;

    @TempDir
    private Path folder;

    private Path scenario(String more) throws IOException {
        return Files.writeString(folder.resolve("s.yaml"), SCENARIO + more);
    }

    @Test
    void aSweepThatIsKilledLeavesNoRunBehindAndGoesOnWhereItStopped() throws Exception {
        String file = scenario("sweep: {streams.meta.share: [0.05, 0.2], seed: [1, 2]}\n")
                .toString();
        Path whole = folder.resolve("whole");
        Path killed = folder.resolve("killed");
        assertThat(CliProcess.run(folder, Map.of(), "simulate", "run", file, "--out", whole.toString(), "-q")
                        .exit())
                .isZero();

        Process sweep = CliProcess.of("simulate", "run", file, "--out", killed.toString(), "--processes", "2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        List<ProcessHandle> all = new ArrayList<>();
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> !complete(killed).isEmpty());
            all.addAll(sweep.descendants().toList());
        } finally {
            sweep.destroyForcibly();
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        var before = complete(killed);
        assertThat(before.size()).isLessThan(4);
        assertThat(CliProcess.here("simulate", "gather", killed.toString()).exit())
                .isEqualTo(1);

        var again = CliProcess.run(folder, Map.of(), "simulate", "run", file, "--out", killed.toString(), "-q");

        assertThat(again.exit()).as(again.err()).isZero();
        var after = complete(killed);
        assertThat(after).hasSize(4).containsAllEntriesOf(before);
        for (var run : after.keySet()) {
            for (var name : FILES) {
                assertThat(killed.resolve(run).resolve(name))
                        .hasSameBinaryContentAs(whole.resolve(run).resolve(name));
            }
        }
        assertThat(CliProcess.here("simulate", "gather", killed.toString()).exit())
                .isZero();
    }

    /** The runs that are complete, and when they became so. */
    private static Map<String, FileTime> complete(Path sweep) throws IOException {
        Map<String, FileTime> complete = new TreeMap<>();
        if (Files.isDirectory(sweep)) {
            try (Stream<Path> runs = Files.list(sweep)) {
                for (var run :
                        runs.filter(one -> !one.toString().endsWith(".partial")).toList()) {
                    if (Files.exists(run.resolve("run.json"))) {
                        complete.put(run.getFileName().toString(), Files.getLastModifiedTime(run.resolve("run.json")));
                    }
                }
            }
        }
        return complete;
    }

    @Test
    void aFullDiskIsNamedAndWhatThereIsOfARunIsMarked() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        String mount = "mount -t tmpfs -o size=64k none " + disk;
        assumeTrue(ended("unshare", "-m", "sh", "-c", mount) == 0, "a small disk cannot be mounted here (needs root)");
        var words = new ArrayList<>(
                List.of("unshare", "-m", "sh", "-c", mount + " && \"$@\"; exit=$?; ls " + disk + "; exit $exit", "sh"));
        words.addAll(CliProcess.of("simulate", "run", scenario("").toString(), "--out", disk + "/r")
                .command());
        Path said = folder.resolve("said");

        Process run = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();

        assertThat(run.waitFor()).isEqualTo(3);
        assertThat(Files.readString(said))
                .contains("The results cannot be written", "No space left on device", disk + "/r.partial")
                .doesNotContain("\tat ")
                .endsWith("r.partial\n");
    }

    @Test
    void everyJdkGivesTheSameBytes() throws Exception {
        var javas = javas();
        System.err.println("JDKs: " + javas);
        assumeTrue(
                javas.size() > 1, "there is one JDK here only, " + javas.keySet() + "; another one would be compared");
        Path first = folder.resolve(javas.keySet().iterator().next());
        for (var java : javas.entrySet()) {
            Path out = folder.resolve(java.getKey());
            for (var policy : List.of("windows", "choice")) {
                var builder = CliProcess.of(
                                "simulate",
                                "run",
                                scenario("").toString(),
                                "--out",
                                out.resolve(policy).toString(),
                                "--set",
                                "policy=" + policy,
                                "-q")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
                builder.command().set(0, java.getValue());
                assertThat(builder.start().waitFor())
                        .as(() -> java + ": " + read(folder.resolve("log")))
                        .isZero();
                for (var name : FILES) {
                    assertThat(out.resolve(policy).resolve(name))
                            .hasSameBinaryContentAs(first.resolve(policy).resolve(name));
                }
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The java of each feature release that is installed in the usual place, and this one. */
    private static Map<String, String> javas() throws Exception {
        var candidates = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        Path usual = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(usual)) {
            try (Stream<Path> homes = Files.list(usual)) {
                homes.sorted().forEach(candidates::add);
            }
        }
        Map<String, String> javas = new TreeMap<>();
        for (var home : candidates) {
            Path java = home.resolve("bin/java");
            if (Files.isExecutable(java)) {
                String release = release(java.toString());
                if (Integer.parseInt(release) >= 17) {
                    javas.putIfAbsent(release, java.toString());
                }
            }
        }
        return javas;
    }

    private static String release(String java) throws Exception {
        Process asked =
                new ProcessBuilder(java, "-version").redirectErrorStream(true).start();
        String said = new String(asked.getInputStream().readAllBytes(), UTF_8);
        asked.waitFor();
        return said.replaceAll("(?s)[^\"]*\"(\\d+).*", "$1");
    }

    private static int ended(String... words) {
        try {
            return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }
}
