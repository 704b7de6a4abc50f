package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** Watchers of events: what they see over cuts and restarts, and what they cost while nothing happens. */
@Tag("full")
class EventWatchersTest {

    private static final int CUTS = Integer.getInteger("metasched.watch.cuts", 100);
    private static final int KILLS = Integer.getInteger("metasched.watch.kills", 3);
    private static final int WATCHERS = Integer.getInteger("metasched.watch.watchers", 1000);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** A whole event; what is cut off before its blank line does not count. */
    private static final Pattern EVENT = Pattern.compile("id: (\\d+)\\nevent: (\\w+)\\ndata: (.*)\\n\\n");

    private final Random random = new Random(38);
    private final TreeMap<Long, String> seen = new TreeMap<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private long place;
    private volatile URI base = URI.create("http://127.0.0.1");

    @TempDir
    private Path folder;

    @Test
    void aWatcherThatIsCutOffSeesEachEventOnce() throws Exception {
        int port = FreePort.next();
        var config = configuration(port);
        base = URI.create("http://127.0.0.1:" + port);
        var watching = Executors.newSingleThreadExecutor();
        var server = ServerProcess.start(config);
        try {
            server.awaitReady();
            var watched = watching.submit(() -> {
                while (cuts.get() < CUTS) {
                    watch(1 + random.nextInt(900));
                }
                return cuts.get();
            });
            for (int kill = 0; kill <= KILLS; kill++) {
                int due = CUTS * (kill + 1) / (KILLS + 1);
                while (cuts.get() < due && !watched.isDone()) {
                    post();
                }
                if (kill < KILLS) {
                    server.kill();
                    server = ServerProcess.start(config);
                    server.awaitReady();
                }
            }
            assertThat(watched.get(2, TimeUnit.MINUTES)).isGreaterThanOrEqualTo(CUTS);
        } finally {
            watching.shutdownNow();
            server.close();
        }
        try (var last = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            var stored = stored(last);
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> {
                watch(Integer.MAX_VALUE);
                return place >= stored.get(stored.size() - 1);
            });
            assertThat(seen.headMap(stored.get(stored.size() - 1), true).keySet())
                    .containsExactlyElementsOf(stored);
            System.out.println("EventWatchers: " + stored.size() + " events over " + cuts + " cuts and " + KILLS
                    + " kills, each once");
        }
    }

    @Test
    void idleWatchersWaitAndSeldomAskAgain() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (var server = ServerAssembly.start(ConfigurationFile.read(configuration(0)), Clock.systemUTC())) {
            base = server.base();
            String place = String.valueOf(server.agreements().newestEvent());
            for (int i = 0; i < WATCHERS; i++) {
                sockets.add(asked(place));
            }
            // The compiler of a fresh server is not what is measured.
            keepAsking(sockets, place);
            var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long begun = System.nanoTime();
            long used = system.getProcessCpuTime();
            int answers = keepAsking(sockets, place);
            double share = (double) (system.getProcessCpuTime() - used) / (System.nanoTime() - begun);
            System.out.printf(
                    "EventWatchers: %d idle watchers, %d answers, %.1f %% of a core with their clients%n",
                    WATCHERS, answers, 100 * share);
            // Without waiting there would be one a second from each.
            assertThat(answers).isLessThan(4 * WATCHERS);
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    /** Each asks again when its answer is there, as a browser does: this process is the clients too. */
    private int keepAsking(List<Socket> sockets, String place) throws Exception {
        int answers = 0;
        long until = System.nanoTime() + Duration.ofSeconds(42).toNanos();
        while (System.nanoTime() < until) {
            for (int i = 0; i < WATCHERS; i++) {
                if (sockets.get(i).getInputStream().available() > 0) {
                    sockets.get(i).close();
                    sockets.set(i, asked(place));
                    answers++;
                }
            }
            TimeUnit.SECONDS.sleep(1);
        }
        return answers;
    }

    private Path configuration(int port) throws IOException {
        return Files.writeString(folder.resolve("server.yaml"), """
                port: %d
                data: %s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 10000}}
                """.formatted(port, folder.resolve("data")));
    }

    private void post() throws InterruptedException {
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

    private static List<Long> stored(ServerAssembly server) {
        List<Long> all = new ArrayList<>(List.of(0L));
        List<NumberedEvent> some;
        do {
            some = server.agreements().eventsAfter(all.get(all.size() - 1), 500);
            some.forEach(event -> all.add(event.number()));
        } while (!some.isEmpty());
        return all.subList(1, all.size());
    }

    private Socket asked(String place) throws IOException {
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
        try (var socket = asked(String.valueOf(place))) {
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
