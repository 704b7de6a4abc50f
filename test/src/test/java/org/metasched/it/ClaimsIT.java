package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess.Ended;

/** Claims by command, with the server killed after each step and the claimant, a process then, killed within a request. */
@Tag("full")
class ClaimsIT {

    @TempDir
    private Path folder;

    private ServerProcess server;

    private String start() throws IOException {
        Path config = folder.resolve("server.yaml");
        Files.writeString(config, """
                port: 0
                data: %s/data
                monitor: {every: 1s}
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 8, state-file: %s/fzj, programs: {folder: %s/jobs}}}
                """.formatted(folder, folder, folder));
        server = ServerProcess.start(config);
        return server.awaitReady().toString();
    }

    private String again() throws IOException {
        server.kill();
        return start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theServerIsKilledAfterEachStepAndTheClaimIsWhatItWasToldToBe() throws Exception {
        String url = start();
        Path job = Files.writeString(
                folder.resolve("job.ad"),
                "[Type=\"Job\"; Name=\"gang\"; Owner=\"ann\"; Ports={[Label=cpu; Requirements=cpu.Name == \"m\"],"
                        + " [Label=licence; Requirements=licence.Type == \"Licence\"]}]");
        Path ads = Files.writeString(
                folder.resolve("ads"),
                "[Type=\"Machine\"; Name=\"m\"; Requirements=CurMatches < MaxMatches; CurMatches=0; MaxMatches=1;"
                        + " ClassAdLifetime=3600]\n[Type=\"Licence\"; Name=\"l\"; Requirements=true; ClassAdLifetime=3600]\n");
        assertThat(cli(url, "advertise", ads.toString()).exit()).isZero();
        // Ads reach the table in turns of a quarter of a second, and when the server is stopped.
        server.terminate();

        url = start();
        JsonNode requested = json(cli(url, request(job, "--json")));
        assertThat(requested).hasSize(2);
        url = again();
        assertThat(states(url)).containsExactly("l false", "m false");
        assertThat(cli(url, request(job)).exit()).isOne();
        List<String> ids = new ArrayList<>(requested.findValuesAsText("claim"));

        for (String step : List.of("activate", "renew")) {
            assertThat(cli(url, words("claim", step, ids)).exit()).as(step).isZero();
            url = again();
            assertThat(states(url)).containsExactly("l true", "m true");
        }
        assertThat(cli(url, words("claim", "release", ids.subList(0, 1))).exit())
                .isZero();
        assertThat(cli(url, words("claim", "preempt", ids.subList(1, 2))).exit())
                .isZero();
        url = again();
        assertThat(states(url)).isEmpty();
        assertThat(cli(url, words("claim", "renew", ids)).exit()).isOne();
        Process piped = CliProcess.of(with(url, request(Path.of("-"), "--activate")))
                .redirectInput(job.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(piped.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(piped.waitFor()).as(said).isZero();
        assertThat(states(url)).containsExactly("l true", "m true");
    }

    @Test
    void aRequestThatIsCutOffIsGivenBackByTheNext() throws Exception {
        String url = start();
        Path job = Files.writeString(
                folder.resolve("job.ad"),
                "[Type=\"Job\"; Name=\"j\"; Owner=\"ann\"; Requirements=TARGET.Name == \"m\"]");
        Path ads = Files.writeString(
                folder.resolve("ads"), "[Type=\"Machine\"; Name=\"m\"; Requirements=true; ClassAdLifetime=3600]\n");
        cli(url, "advertise", ads.toString());
        server.signal("STOP");
        Process cut =
                CliProcess.of(with(url, request(job))).redirectErrorStream(true).start();
        server.signal("CONT");
        Path journal = folder.resolve("journal");
        while (cut.isAlive() && (!Files.isDirectory(journal) || notes(journal) == 0)) {
            Thread.onSpinWait();
        }
        server.signal("STOP");
        cut.destroyForcibly().waitFor();
        server.signal("CONT");

        Ended next = cli(url, request(job, "--json"));

        assertThat(next.exit()).as(next.err()).isZero();
        assertThat(states(url)).containsExactly("m false");
        assertThat(notes(journal)).isZero();
    }

    @Test
    void theJobOfAClaimIsStartedOnceThroughKillsOfTheServerAndEndsWithTheClaim() throws Exception {
        String begun = start();
        Path job = Files.writeString(
                folder.resolve("job.ad"),
                "[Type=\"Job\"; Name=\"j\"; Owner=\"ann\"; Requirements=TARGET.Name == \"fzj\"]");
        // The ad of a site reaches the table a little after the server is ready.
        Ended requested = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> cli(begun, request(job, "--json")), ended -> ended.exit() == 0);
        String claim = json(requested).findValuesAsText("claim").get(0);
        Path pids = folder.resolve("pids");
        String url = begun;
        String program = "echo $$ >> " + pids + "; exec sleep 600";

        assertThat(run(url, claim, "--nodes", "2", "--", "/bin/none").err()).contains("/bin/none");
        assertThat(states(url)).containsExactly("fzj false");
        assertThat(run(url, claim, "--", "/bin/sh", "-c", program).exit()).isZero();
        url = again();
        assertThat(run(url, claim, "--", "/bin/sh", "-c", program).exit()).isZero();
        assertThat(run(url, claim, "--", "/bin/true").err()).contains("was made for another program");
        assertThat(states(url)).containsExactly("fzj true");
        while (!Files.exists(pids)) {
            assertThat(cli(url, "agreement", "claim-" + claim, "--json").out()).contains("claim-" + claim);
        }
        long pid = Long.parseLong(Files.readAllLines(pids).get(0));
        assertThat(ProcessHandle.of(pid)).isPresent();

        assertThat(cli(url, "claim", "release", claim).exit()).isZero();
        ProcessHandle.of(pid)
                .ifPresent(process ->
                        process.onExit().orTimeout(60, TimeUnit.SECONDS).join());
        assertThat(json(cli(url, "agreement", "claim-" + claim, "--json"))
                        .path("state")
                        .asText())
                .isIn("Terminated", "ObservedAndTerminating");
        assertThat(Files.readAllLines(pids)).hasSize(1);
    }

    private Ended run(String url, String claim, String... more) throws Exception {
        var words = new ArrayList<>(List.of("claim", "run", claim, "--server", url));
        words.addAll(List.of(more));
        return CliProcess.here(words.toArray(String[]::new));
    }

    /** Notes of what is under way; not one that was cut off before it had its name. */
    private static long notes(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".claim")).count();
        }
    }

    private String[] request(Path job, String... more) {
        var words = new ArrayList<>(List.of(
                "claim", "request", "--journal", folder.resolve("journal").toString(), job.toString()));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private static String[] words(String command, String step, List<String> ids) {
        var words = new ArrayList<>(List.of(command, step));
        words.addAll(ids);
        return words.toArray(String[]::new);
    }

    private List<String> states(String url) throws Exception {
        var states = new ArrayList<String>();
        json(cli(url, "claim", "list", "--json"))
                .forEach(claim -> states.add(claim.path("resource").asText() + " "
                        + claim.path("active").asBoolean()));
        return states.stream().sorted().toList();
    }

    private Ended cli(String url, String... words) throws Exception {
        return CliProcess.here(with(url, words));
    }

    private static String[] with(String url, String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--server", url));
        return all.toArray(String[]::new);
    }

    private static JsonNode json(Ended ended) throws IOException {
        assertThat(ended.exit()).as(ended.err()).isZero();
        return new ObjectMapper().readTree(ended.out());
    }
}
