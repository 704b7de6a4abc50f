package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;

/** Watchers of events: what they see over cuts and restarts, and what they cost while nothing happens. */
@Tag("full")
class EventWatchersTest {

    private static final int CUTS = Integer.getInteger("metasched.watch.cuts", 100);
    private static final int SERVERS = 3;
    private static final int WATCHERS = Integer.getInteger("metasched.watch.watchers", 1000);
    private static final Duration WARM = Duration.ofSeconds(16);
    private static final Duration MEASURED = Duration.ofSeconds(20);
    private static final double MOST_OF_A_CORE = 0.05;
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** A whole event; what is cut off before its blank line does not count. */
    private static final Pattern EVENT = Pattern.compile("id: (\\d+)\\nevent: (\\w+)\\ndata: (.*)\\n\\n");

    private final Random random = new Random(38);
    private final TreeMap<Long, String> seen = new TreeMap<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private long place;
    private final List<URI> bases = new ArrayList<>();

    @TempDir
    private Path folder;

    @Test
    void aWatcherThatIsCutOffSeesEachEventOnce() throws Exception {
        var watching = Executors.newSingleThreadExecutor();
        var site = new SimulatedSite(new SiteId("fzj")).nodes(10_000).open(Clock.systemUTC());
        List<ServerProcess> servers = new ArrayList<>();
        try (var postgres = EmbeddedPostgres.builder().start();
                var host = AdapterHost.start(site, 0)) {
            List<Path> configurations = new ArrayList<>();
            for (int i = 0; i < SERVERS; i++) {
                int port = FreePort.next();
                bases.add(URI.create("http://127.0.0.1:" + port));
                String database = postgres.getJdbcUrl("postgres", "postgres");
                configurations.add(configuration(
                        i, port, "url: '" + host.endpoint() + "'", "database: {url: '" + database + "'}"));
                servers.add(ServerProcess.start(configurations.get(i)));
            }
            for (var server : servers) {
                server.awaitReady();
            }
            var watched = watching.submit(() -> {
                while (cuts.get() < CUTS) {
                    watch(1 + random.nextInt(900));
                }
                return cuts.get();
            });
            for (int kill = 0; kill <= SERVERS; kill++) {
                int due = CUTS * (kill + 1) / (SERVERS + 1);
                for (int post = 0; cuts.get() < due && !watched.isDone(); post++) {
                    post(bases.get(post % SERVERS));
                }
                if (kill < SERVERS) {
                    servers.get(kill).kill();
                    servers.set(kill, ServerProcess.start(configurations.get(kill)));
                }
                if (kill == SERVERS - 1) {
                    servers.get(0).awaitReady();
                }
            }
            assertThat(watched.get(2, TimeUnit.MINUTES)).isGreaterThanOrEqualTo(CUTS);
            var stored = stored(postgres);
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> {
                watch(Integer.MAX_VALUE);
                return place >= stored.get(stored.size() - 1);
            });
            assertThat(seen.headMap(stored.get(stored.size() - 1), true).keySet())
                    .containsExactlyElementsOf(stored);
            System.out.println("EventWatchers: " + stored.size() + " events over " + cuts + " cuts and " + SERVERS
                    + " servers killed in turn, each once");
        } finally {
            watching.shutdownNow();
            servers.forEach(ServerProcess::close);
        }
    }

    @Test
    void idleWatchersCostAHeartbeatAndAllAreToldAtOnce() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        var config = configuration(0, 0, "scheduler: {type: simulated, nodes: 10000}", "");
        try (var server = ServerProcess.start(config)) {
            URI base = server.awaitReady();
            for (int i = 0; i < WATCHERS; i++) {
                sockets.add(asked(base, "0"));
            }
            // The compiler of a fresh server is not what is measured.
            heard(sockets, WARM);
            long begun = System.nanoTime();
            Duration used = server.processorTime();
            int beats = heard(sockets, MEASURED);
            double share = (double) server.processorTime().minus(used).toNanos() / (System.nanoTime() - begun);

            post(base);
            long told = System.nanoTime();
            for (var socket : sockets) {
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .contains("event: offer");
            }
            System.out.printf(
                    "EventWatchers: %d idle watchers, %d heartbeats, %.1f %% of a core; all told in %d ms%n",
                    WATCHERS,
                    beats,
                    100 * share,
                    Duration.ofNanos(System.nanoTime() - told).toMillis());
            assertThat(beats).isBetween(WATCHERS, 2 * WATCHERS);
            assertThat(share).isLessThanOrEqualTo(MOST_OF_A_CORE);
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    /** How many answers went on. */
    private static int heard(List<Socket> sockets, Duration time) throws Exception {
        int beats = 0;
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < until) {
            for (var socket : sockets) {
                int there = socket.getInputStream().available();
                beats += there > 0 ? 1 : 0;
                socket.getInputStream().skipNBytes(there);
            }
            TimeUnit.SECONDS.sleep(1);
        }
        return beats;
    }

    private Path configuration(int number, int port, String site, String more) throws IOException {
        return Files.writeString(
                folder.resolve(number + ".yaml"), """
                port: %d
                data: %s
                sites:
                  - {site: fzj, %s}
                %s
                """.formatted(port, folder.resolve("data" + number), site, more));
    }

    private static void post(URI base) throws InterruptedException {
        try {
            HTTP.send(
                    HttpRequest.newBuilder(base.resolve("/api/v1/agreements"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(RestDoor.HOUR))
                            .build(),
                    BodyHandlers.discarding());
        } catch (IOException e) {
            // The server was killed: what came of this one stands in the history. A client pauses.
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static List<Long> stored(EmbeddedPostgres postgres) throws SQLException {
        List<Long> all = new ArrayList<>();
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT seq FROM agreement_event ORDER BY seq")) {
            while (rows.next()) {
                all.add(rows.getLong(1));
            }
        }
        return all;
    }

    private static Socket asked(URI base, String place) throws IOException {
        var socket = new Socket();
        socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(("GET /api/v1/events HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\nLast-Event-ID: " + place
                                + "\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Reads an answer, and cuts it off after so many characters. */
    private void watch(int most) throws IOException, InterruptedException {
        var text = new StringBuilder();
        try (var socket = asked(bases.get(random.nextInt(bases.size())), String.valueOf(place))) {
            var in = socket.getInputStream();
            for (int next = in.read(); next >= 0 && text.length() < most; next = in.read()) {
                text.append((char) next);
            }
        } catch (SocketException e) {
            // The server was killed. A client pauses.
            TimeUnit.MILLISECONDS.sleep(100);
        }
        if (text.length() >= most) {
            cuts.incrementAndGet();
        }
        var events = EVENT.matcher(text);
        while (events.find()) {
            place = Long.parseLong(events.group(1));
            if (!events.group(2).equals("place")) {
                assertThat(seen.put(place, events.group(3)))
                        .as("event %d", place)
                        .isNull();
            }
        }
    }
}
