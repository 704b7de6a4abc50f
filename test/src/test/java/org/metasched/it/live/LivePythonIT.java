package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.client.AgreementClient;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** The examples on the client in Python, at two clusters of Slurm: what if, a job in each reservation, the start told by events. */
@ResourceLock("slurm")
class LivePythonIT {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();
    private static final String OTHER_PORT = "17917";
    private static final double SOONER_THAN_BY_READING = 15;

    @TempDir
    private Path folder;

    private final Map<String, LiveSite> sites = new TreeMap<>();

    @Test
    void jobsOfTwoClustersRunInTheReservationsOfOneAgreement() throws Exception {
        sites.put("live-slurm", LiveSite.named("slurm"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path out = Files.createDirectory(folder.resolve("out"));
        Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxrwxrwx"));
        var other = LiveSite.ownIn(folder, "slurm");
        try {
            other.start(Map.of("METASCHED_LIVE_SLURM_PORT", OTHER_PORT));
            sites.put("other-slurm", other);
            try (var server = server()) {
                var client = new AgreementClient(server.base(), Duration.ofMinutes(3));
                String said = python(
                        server,
                        "two_sites.py",
                        "live-slurm",
                        sbatch("live-slurm"),
                        "other-slurm",
                        sbatch("other-slurm"));
                String agreement = found("agreement (\\S+) from ", said).get(0).group(1);
                var jobs = found("(\\S+-slurm): job (\\d+) in reservation (\\S+)", said);
                assertThat(jobs).as(said).hasSize(2);
                for (var job : jobs) {
                    assertThat(shown(job)).contains("Reservation=" + job.group(3) + " ");
                }

                String tried = python(server, "what_if.py", "16", "12.5", "live-slurm", "other-slurm");
                assertThat(tried)
                        // A start is a whole minute; the server may know by then how many nodes the sites have.
                        .containsPattern("16 nodes each(: NO_COMMON_SLOT, .*live-slurm| is no request: OFFER_INVALID)")
                        .containsPattern("8 nodes each: NO_COMMON_SLOT, .*site live-slurm says that it has none")
                        .containsPattern("4 nodes each: from 2\\d{3}-");

                String began = python(server, "wait_for_start.py", agreement, "300");
                assertThat(began).contains("live-slurm: ACTIVE", "other-slurm: ACTIVE");
                double late = Double.parseDouble(
                        found("active (\\S+) s after its begin", began).get(0).group(1));
                assertThat(late).isBetween(0.0, SOONER_THAN_BY_READING);
                for (var job : jobs) {
                    await().atMost(Duration.ofMinutes(2))
                            .untilAsserted(() -> assertThat(shown(job)).contains("JobState=COMPLETED"));
                    assertThat(Files.readAllLines(out.resolve(job.group(1) + job.group(2))))
                            .hasSize(2);
                }
                client.terminate(agreement);
                System.out.printf("Python's jobs: %s, told %.1f s after the begin%n", jobs.size(), late);
            }
        } finally {
            other.stop();
        }
    }

    /** How sbatch is called at a site, as its user. */
    private String sbatch(String site) throws IOException {
        return "runuser -u gridalice -- env SLURM_CONF="
                + sites.get(site).environment().get("SLURM_CONF") + " sbatch --chdir=" + folder.resolve("out")
                + " --output=" + folder.resolve("out/" + site + "%j");
    }

    private String shown(MatchResult job) throws IOException, InterruptedException {
        return sites.get(job.group(1)).command("scontrol", "-o", "show", "job", job.group(2));
    }

    private static List<MatchResult> found(String pattern, String text) {
        var found = Pattern.compile(pattern).matcher(text).results().toList();
        assertThat(found).as(text).isNotEmpty();
        return found;
    }

    private ServerAssembly server() throws Exception {
        var yaml = new StringBuilder("port: 0\ndata: " + folder.resolve("data") + "\nmonitor: {every: 2s}\n"
                + "negotiation: {call-timeout: 90s, longest: 5m}\nsites:\n");
        for (var site : sites.entrySet()) {
            yaml.append(site.getValue().asListed().replace("site: live-slurm", "site: " + site.getKey()));
        }
        return ServerAssembly.start(
                ConfigurationFile.read(Files.writeString(folder.resolve("server.yaml"), yaml)), Clock.systemUTC());
    }

    private String python(ServerAssembly server, String script, String... words) throws Exception {
        var command = new ProcessBuilder(
                "/usr/bin/python3",
                "-B",
                ROOT.resolve("examples/python-client").resolve(script).toString());
        command.command().addAll(List.of(words));
        command.environment().put("METASCHED_SERVER", server.base().toString());
        command.environment()
                .put(
                        "PYTHONPATH",
                        ROOT.resolve("metascheduler/client-python/src").toString());
        return run(command);
    }

    /** What it printed; its exit code is 0. */
    private String run(ProcessBuilder command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(folder, "said", "");
        var process =
                command.redirectErrorStream(true).redirectOutput(said.toFile()).start();
        try {
            assertThat(process.waitFor(6, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue())
                    .as(() -> command.command() + ": " + read(said))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        return read(said);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
