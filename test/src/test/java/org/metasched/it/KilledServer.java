package org.metasched.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.leases.Lease;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;

/** Server with a database of its own that counts matches, killed at random moments and started again, until it is closed. */
final class KilledServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Of processor time: on a busy machine it lives longer. */
    private static final int LONGEST_LIFE_MILLIS = 10_000;

    private static final Duration LONGEST_IDLE = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Path data;
    private final Path config;
    private final URI address;
    private final Random random;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<String> mistakes = new ArrayList<>();
    private final Thread killer = new Thread(this::live, "server-killer");
    private volatile ServerProcess server;
    private int kills;
    private @Nullable Throwable failure;

    /** @param ads that it keeps */
    KilledServer(Path folder, List<ClassAd> ads, Random random) throws Exception {
        this.random = random;
        data = folder.resolve("server");
        config = Files.writeString(folder.resolve("server.yaml"), """
                port: %d
                data: %s
                sites: [{site: none, scheduler: {type: simulated, nodes: 1}}]
                """.formatted(FreePort.next(), data));
        server = ServerProcess.start(config);
        address = server.awaitReady();
        try (var collector = RemoteCollector.at(address, PATIENCE)) {
            if (!collector.advertiseAll(ads).stream().allMatch(AdvertiseReceipt.Kept.class::isInstance)) {
                throw new IllegalStateException("The server does not keep the ads of the sites.");
            }
        }
        // Ads reach the table in turns, and when the server is stopped.
        server.terminate();
        server = ServerProcess.start(config);
        killer.start();
    }

    URI address() {
        return address;
    }

    private void live() {
        try {
            while (true) {
                server.awaitReady();
                boolean isOver = isOverBeforeItIsToDie();
                server.kill();
                kills++;
                server.log().stream().filter(line -> line.contains("ERROR")).forEach(mistakes::add);
                if (isOver) {
                    return;
                }
                server = ServerProcess.start(config);
            }
        } catch (IOException | InterruptedException | AssertionError e) {
            failure = e;
        }
    }

    private boolean isOverBeforeItIsToDie() throws InterruptedException {
        Duration end = server.processorTime().plusMillis(random.nextInt(LONGEST_LIFE_MILLIS));
        long ready = System.nanoTime();
        boolean isOver = false;
        while (!isOver
                && server.processorTime().compareTo(end) < 0
                && System.nanoTime() - ready < LONGEST_IDLE.toNanos()) {
            isOver = over.await(20, TimeUnit.MILLISECONDS);
        }
        return isOver;
    }

    /** How many matches DAGs hold of each site, without drains; empty while the server is away. */
    static Optional<Map<String, Integer>> counts(URI server) {
        try {
            var question = HttpRequest.newBuilder(server.resolve("/api/v1/matches?limit=1000"))
                    .timeout(PATIENCE)
                    .build();
            var answer = CLIENT.send(question, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                return Optional.empty();
            }
            var counts = new TreeMap<String, Integer>();
            new ObjectMapper().readTree(answer.body()).path("matches").forEach(match -> {
                if (!match.path("holder").asText().equals(Lease.DRAINED)) {
                    counts.merge(match.path("site").asText(), 1, Integer::sum);
                }
            });
            return Optional.of(counts);
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills it for the last time; how often it was killed. */
    int end() throws InterruptedException {
        over.countDown();
        killer.join();
        if (failure != null) {
            throw new AssertionError("The server did not come back after " + kills + " kills.", failure);
        }
        if (!mistakes.isEmpty()) {
            throw new AssertionError("The server logged " + mistakes);
        }
        return kills;
    }

    /** What its database holds, so much later. After the {@link #end}. */
    List<Lease> held(Duration later) {
        try (var database = Database.open(new DatabaseSettings("jdbc:h2:file:" + data.resolve("server"), "", "", 4))) {
            return database.leases(Clock.offset(Clock.systemUTC(), later), new BindingEvidence())
                    .held();
        }
    }

    @Override
    public void close() {
        over.countDown();
        server.kill();
    }
}
