package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;

/**
 * A renegotiation in place at two sites of 64 nodes, whose server dies at each message to a site, on either side of its effect. What the sites hold is read
 * from their own records.
 */
@Tag("full")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class InPlaceKillsIT {

    /** 1 dies at each message; 2 at each other one. */
    private static final int STRIDE = Integer.getInteger("metasched.in-place.stride", 2);

    private static final List<String> SITES = List.of("fzj", "scai");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LENGTH = Duration.ofMinutes(30);
    private static final int MOST_STEPS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(2));

    @TempDir
    private Path folder;

    private ServerProcess server;
    private URI base;
    private int starts;

    @ParameterizedTest
    @CsvSource({"60, 30", "40, 50"})
    void theOldOrTheNewAgreementLivesNeverBothOrNone(int before, int after) throws Exception {
        int kept = 0;
        int replaced = 0;
        startServer();
        try {
            boolean died = true;
            for (int step = 1; died; step += STRIDE) {
                assertThat(step).isLessThan(MOST_STEPS);
                String old = create(before);
                assertThat(held()).containsOnly(List.of(before));
                MortalSites.dieAt(folder, step);
                renegotiate(old, after);
                awaitEndOr(after);
                int startsBefore = starts;
                String living = settled(old, before, after, step);
                died = starts > startsBefore;
                boolean isOld = living.equals(old);
                kept += isOld ? 1 : 0;
                replaced += isOld ? 0 : 1;
                if (died) {
                    send("DELETE", "/" + living, "");
                    Awaitility.await().atMost(PATIENCE).until(() -> held().equals(List.of(List.of(), List.of())));
                }
            }
        } finally {
            server.kill();
        }
        System.out.printf(
                "InPlaceKillsIT: %d to %d nodes: %d times the old, %d times the new%n", before, after, kept, replaced);
        assertThat(kept).isPositive();
        assertThat(replaced).isGreaterThan(1);
    }

    private void startServer() throws IOException {
        var text = new StringBuilder("""
                port: 0
                data: %s
                sweeper: {every: 1s, grace: 2s}
                monitor: {every: 1h}
                sites:
                """.formatted(folder));
        for (var site : SITES) {
            text.append("  - {site: %s, scheduler: {type: mortal, state-file: '%s'}}%n".formatted(site, state(site)));
        }
        var config = Files.writeString(folder.resolve("server.yaml"), text);
        String tests = Path.of(MortalSites.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
        server = ServerProcess.ofClassPath(
                String.join(
                        File.pathSeparator,
                        ClassArchive.classPath(),
                        tests,
                        MortalSites.provided(folder.resolve("provided"))),
                config);
        base = server.awaitReady();
        starts++;
    }

    /** The answer may be lost with the server. */
    private void renegotiate(String old, int nodes) throws Exception {
        try {
            var tag = send("GET", "/" + old, "").headers().firstValue("ETag");
            send("PATCH", "/" + old, "{" + parts(nodes) + "}", "If-Match", tag.orElseThrow());
        } catch (IOException e) {
            Awaitility.await().atMost(PATIENCE).until(() -> !server.isAlive());
        }
    }

    private String create(int nodes) throws Exception {
        var made = send(
                "POST",
                "",
                "{%s,\"duration\":\"%s\",\"earliest\":\"%s\",\"deadline\":\"%s\"}"
                        .formatted(parts(nodes), LENGTH, start, start.plus(LENGTH)));
        return JSON.readTree(made.body()).path("agreementId").asText();
    }

    private static String parts(int nodes) {
        return SITES.stream()
                .map(site -> "{\"site\":\"%s\",\"nodes\":%d}".formatted(site, nodes))
                .collect(Collectors.joining(",", "\"parts\":[", "]"));
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(base.resolve("/api/v1/agreements" + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        var answer = HTTP.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer;
    }

    private void awaitEndOr(int nodes) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !server.isAlive() || held().equals(List.of(List.of(nodes), List.of(nodes))));
    }

    /** The one that lives, once the sites hold what it says. */
    private String settled(String old, int before, int after, int step) {
        var living = new AtomicReference<>("");
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    if (!server.isAlive()) {
                        assertThat(held())
                                .as("step %d", step)
                                .allSatisfy(
                                        site -> assertThat(site).singleElement().isIn(before, after));
                        startServer();
                    }
                    var ids = JSON.readTree(send("GET", "?state=Observed", "").body())
                            .path("agreements")
                            .findValuesAsText("agreementId");
                    assertThat(ids).as("step %d", step).hasSize(1);
                    living.set(ids.get(0));
                    int nodes = ids.get(0).equals(old) ? before : after;
                    assertThat(held()).as("step %d", step).containsExactly(List.of(nodes), List.of(nodes));
                });
        return living.get();
    }

    /** Nodes of each reservation, by site. */
    private List<List<Integer>> held() throws IOException {
        var all = new ArrayList<List<Integer>>();
        for (var site : SITES) {
            Path copy = Files.copy(state(site), folder.resolve("copy"), StandardCopyOption.REPLACE_EXISTING);
            try (var read = new SimulatedSite(new SiteId(site))
                    .nodes(MortalSites.NODES)
                    .stateFile(copy)
                    .open(Clock.systemUTC())) {
                all.add(read.held().stream()
                        .map(one -> one.reservation().granted().amount())
                        .toList());
            }
        }
        return all;
    }

    private Path state(String site) {
        return folder.resolve(site + ".state");
    }
}
