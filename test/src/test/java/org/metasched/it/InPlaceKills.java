package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A renegotiation in place at sites of 64 nodes, whose server dies at each step of it in turn, until one comes to its end. One agreement lives after each death, the
 * old one or the new one, and the sites hold what it says.
 */
@Tag("full")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
public abstract class InPlaceKills {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LENGTH = Duration.ofMinutes(30);
    private static final int MOST_STEPS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(2));
    private final int stride;
    private final List<String> sites;

    @TempDir
    private Path folder;

    private ServerProcess server;
    private URI base;
    private int starts;

    /**
     * @param usualStride where the property {@code metasched.in-place.stride} does not say another: 1 dies at each step, 2 at each other one
     * @param sites their names
     */
    protected InPlaceKills(int usualStride, String... sites) {
        this.stride = Integer.getInteger("metasched.in-place.stride", usualStride);
        this.sites = List.of(sites);
    }

    /** The sites, as a server's configuration lists them. */
    protected abstract String listed() throws IOException;

    /** A server that dies at no step yet. */
    protected abstract ServerProcess start(Path config) throws IOException, InterruptedException;

    /** Returns when it is certain that the server dies at the n-th step from now on. */
    protected abstract void dieAt(int step) throws IOException, InterruptedException;

    /** Nodes of each reservation, by site, as the sites themselves tell. */
    protected abstract List<List<Integer>> held() throws IOException, InterruptedException;

    /** Whether a change that a dead server has asked for is still on its way to a site. */
    protected boolean isUnderWay() {
        return false;
    }

    protected final Path folder() {
        return folder;
    }

    @ParameterizedTest
    @CsvSource({"60, 30", "40, 50"})
    protected void theOldOrTheNewAgreementLivesNeverBothOrNone(int before, int after) throws Exception {
        int kept = 0;
        int replaced = 0;
        startServer();
        try {
            boolean died = true;
            for (int step = 1; died; step += stride) {
                assertThat(step).isLessThan(MOST_STEPS);
                String old = create(before);
                assertThat(held()).isEqualTo(atEach(List.of(before)));
                dieAt(step);
                renegotiate(old, after);
                awaitEndOr(after);
                int startsBefore = starts;
                String living = settled(old, before, after, step);
                died = starts > startsBefore;
                boolean isOld = living.equals(old);
                kept += isOld ? 1 : 0;
                replaced += isOld ? 0 : 1;
                if (!died) {
                    server.kill();
                    startServer();
                }
                send("DELETE", "/" + living, "");
                Awaitility.await().atMost(PATIENCE).until(() -> held().equals(atEach(List.of())));
            }
        } finally {
            server.kill();
        }
        System.out.printf(
                "%s: %d to %d nodes: %d times the old, %d times the new%n",
                getClass().getSimpleName(), before, after, kept, replaced);
        assertThat(kept).isPositive();
        assertThat(replaced).isGreaterThan(1);
    }

    private <T> List<T> atEach(T one) {
        return Collections.nCopies(sites.size(), one);
    }

    private void startServer() throws IOException, InterruptedException {
        String text = """
                port: 0
                data: %s
                sweeper: {every: 1s, grace: 10s}
                monitor: {every: 1h}
                sites:
                %s""".formatted(folder, listed());
        server = start(Files.writeString(folder.resolve("server.yaml"), text));
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

    private String parts(int nodes) {
        return sites.stream()
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
        Awaitility.await().atMost(PATIENCE).until(() -> !server.isAlive() || held().equals(atEach(List.of(nodes))));
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
                    JsonNode observed = JSON.readTree(
                                    send("GET", "?state=Observed", "").body())
                            .path("agreements");
                    assertThat(observed).as("step %d", step).hasSize(1);
                    living.set(observed.path(0).path("agreementId").asText());
                    int nodes = living.get().equals(old) ? before : after;
                    assertThat(observed.findValuesAsText("nodes")).isEqualTo(atEach(String.valueOf(nodes)));
                    assertThat(isUnderWay()).as("step %d", step).isFalse();
                    assertThat(held()).as("step %d", step).isEqualTo(atEach(List.of(nodes)));
                });
        return living.get();
    }
}
