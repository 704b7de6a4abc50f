package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;

/**
 * A server under slow bodies, while one of its sites takes every call and answers none, beside the same server and the same callers in calm: they ask for
 * its health, each by a connection of its own, and make offers to a healthy site and to the one that will hang. Prints one JSON object: milliseconds,
 * processors that were busy and with whom, and the heap after a full collection.
 *
 * <p>{@code -Dmetasched.slow=5000 -Dmetasched.offers=1000} is the size of the figures in {@code docs/performance.md}.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Isolated("measures times")
class SlowBodiesIT {

    private static final int SLOW = Integer.getInteger("metasched.slow", 500);
    private static final int OFFERS = Integer.getInteger("metasched.offers", 25);
    private static final int OTHER_OFFERS_A_SECOND = 10;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir
    private Path folder;

    private final int operators = FreePort.next();

    private record Times(List<Double> health, List<Double> operators, List<Double> offers) {

        static double quantile(List<Double> times, double q) {
            var sorted = new ArrayList<>(times);
            Collections.sort(sorted);
            return sorted.get((int) Math.min(sorted.size() - 1.0, Math.floor(q * sorted.size())));
        }

        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"healthP50\":%.1f,\"healthP99\":%.1f,\"healthMax\":%.1f,\"operatorsMax\":%.1f,\"offerP50\":%.1f,\"offerP99\":%.1f}",
                    quantile(health, 0.5),
                    quantile(health, 0.99),
                    quantile(health, 1),
                    quantile(operators, 1),
                    quantile(offers, 0.5),
                    quantile(offers, 0.99));
        }
    }

    /** Seconds of processor time since processes began. */
    private record Processors(double clock, double busy, double server, double slow, double clients) {

        Processors(ServerProcess server, SlowBodies slow) throws IOException {
            this(
                    System.nanoTime() / 1e9,
                    machine(),
                    server.processorTime().toMillis() / 1e3,
                    slow.processorTime().toMillis() / 1e3,
                    ProcessHandle.current()
                                    .info()
                                    .totalCpuDuration()
                                    .orElse(Duration.ZERO)
                                    .toMillis()
                            / 1e3);
        }

        /** Of all processes, in hundredths of a second there. */
        private static double machine() throws IOException {
            var words = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
            return (Long.parseLong(words[1]) + Long.parseLong(words[2]) + Long.parseLong(words[3])) / 100.0;
        }

        String since(Processors before) {
            double seconds = clock - before.clock;
            return String.format(
                    Locale.ROOT,
                    "\"processors\":{\"seconds\":%.0f,\"busy\":%.2f,\"server\":%.2f,\"slow\":%.2f,\"clients\":%.2f}",
                    seconds,
                    (busy - before.busy) / seconds,
                    (server - before.server) / seconds,
                    (slow - before.slow) / seconds,
                    (clients - before.clients) / seconds);
        }
    }

    @Test
    void healthAndOffersToHealthySitesGoOn() throws Exception {
        var site = new SimulatedSite(new SiteId("other")).nodes(4_096).open(Clock.systemUTC());
        try (var other = AdapterHost.start(site, 0);
                var server = ServerProcess.asShipped(configuration(other.endpoint()))) {
            var base = server.awaitReady();
            var asked = new AtomicInteger();
            var askers = askTheOtherSite(base, asked);
            measure(base);
            long heapBefore = server.usedHeap(base);
            var calm = measure(base);
            long residentBefore = resident(server);
            Times storm;
            long heapDuring;
            long turnedAway;
            asked.set(0);
            site.answersWithin(Duration.ofDays(1));
            String shares;
            try (var slow = new SlowBodies(base.getPort(), SLOW)) {
                var before = new Processors(server, slow);
                storm = measure(base);
                shares = new Processors(server, slow).since(before);
                heapDuring = server.usedHeap(base);
                turnedAway = slow.turnedAway();
            } finally {
                askers.shutdownNow();
                askers.awaitTermination(1, TimeUnit.MINUTES);
            }
            long heapAfter = server.usedHeap(base);
            System.out.printf(
                    Locale.ROOT,
                    "{\"slow\":%d,%s,\"turnedAway\":%d,\"hungOffers\":%d,\"calm\":%s,\"storm\":%s,\"heapMiB\":[%d,%d,%d],\"residentMiB\":[%d,%d]}%n",
                    SLOW,
                    shares,
                    turnedAway,
                    asked.get(),
                    calm.json(),
                    storm.json(),
                    heapBefore >> 20,
                    heapDuring >> 20,
                    heapAfter >> 20,
                    residentBefore >> 10,
                    resident(server) >> 10);

            // Ten times what a quiet machine shows: a thread that is missing costs seconds.
            assertThat(Times.quantile(storm.operators(), 1)).isLessThan(1_000);
            assertThat(Times.quantile(storm.health(), 0.5)).isLessThan(1_000);
            assertThat(Times.quantile(storm.offers(), 0.99))
                    .isLessThan(Math.max(1_000, 10 * Times.quantile(calm.offers(), 0.99)));
            assertThat(heapDuring - heapBefore).isLessThan((32L << 20) + SLOW * 32_768L);
            // Offers leave 13 MiB; buffers of connections that are over are kept for the next.
            assertThat(heapAfter - heapBefore).isLessThan((32L << 20) + SLOW * 4_096L);
            assertThat(asked.get()).isPositive();
        }
    }

    private Path configuration(URI other) throws IOException {
        return Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                operators: 127.0.0.1:%d
                data: %s
                negotiation: {lead: 5s, call-timeout: 10s}
                security: {quotas: {requests-per-second: 100000, living-agreements: 100000, offers-under-way: 1000}}
                sites:
                  - {site: healthy, scheduler: {type: simulated, nodes: 4096}}
                  - {site: other, url: '%s'}
                """.formatted(operators, folder, other));
    }

    /** Health between two offers, as programs that watch do it. */
    private Times measure(URI base) throws Exception {
        var times = new Times(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        var client = new AgreementClient(base, Duration.ofMinutes(1));
        var template = AgreementClient.keyOf(client.templates().get(0));
        for (int i = 0; i < OFFERS; i++) {
            long begin = System.nanoTime();
            health(base.getPort());
            long middle = System.nanoTime();
            health(operators);
            long between = System.nanoTime();
            offer(client, template, "healthy");
            times.health().add((middle - begin) / 1e6);
            times.operators().add((between - middle) / 1e6);
            times.offers().add((System.nanoTime() - between) / 1e6);
        }
        return times;
    }

    private static void health(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET /health HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200");
        }
    }

    private static void offer(AgreementClient client, TemplateKey template, String site)
            throws AgreementFaultException, IOException {
        var part = new Part(Optional.of(site), Optional.empty(), new Need.Nodes(1));
        client.create(OfferWriter.write(
                template,
                new OfferContent(
                        "slow-" + NUMBER.incrementAndGet(),
                        "CN=it",
                        List.of(part),
                        Duration.ofMinutes(1),
                        Optional.empty(),
                        Optional.empty())));
    }

    /** Once that site hangs, more and more of them wait, until the server turns them away. */
    private static ScheduledExecutorService askTheOtherSite(URI base, AtomicInteger asked) throws Exception {
        var client = new AgreementClient(base, Duration.ofMinutes(1));
        var template = AgreementClient.keyOf(client.templates().get(0));
        var clock = Executors.newScheduledThreadPool(OTHER_OFFERS_A_SECOND * 12);
        for (int i = 0; i < OTHER_OFFERS_A_SECOND * 12; i++) {
            clock.scheduleAtFixedRate(
                    () -> {
                        try {
                            asked.incrementAndGet();
                            offer(client, template, "other");
                        } catch (AgreementFaultException | IOException | RuntimeException e) {
                            // Turned away, as it should be.
                        }
                    },
                    i * 100L,
                    12_000,
                    TimeUnit.MILLISECONDS);
        }
        return clock;
    }

    /** In KiB. */
    private static long resident(ServerProcess server) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(server.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
