package org.metasched.bench;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.choice.Preference;
import org.metasched.negotiation.ChoiceRequest;
import org.metasched.negotiation.ChoiceRequest.Branch;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.negotiation.StageTiming;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;

/**
 * Look and reserve at many idle sites, or at some of them, each of which takes a while to answer, with a durable journal (H2 file). Prints one
 * JSON line: milliseconds over the runs, median and 90 per cent; {@code beyond} is what is left without the slowest answer twice, as the sites
 * gave it, for which the goal is 20 ms: on a busy machine a site answers later than it was told to.
 *
 * <p>Arguments: sites (64), latency in ms (50), runs (40), sites that are needed (all).
 */
public final class NegotiationBench {

    private static final AtomicLong SLOWEST = new AtomicLong();

    private NegotiationBench() {}

    private static CoAllocated failed(NegotiationOutcome outcome) {
        throw new IllegalStateException("Nothing was allocated: " + outcome);
    }

    public static void main(String[] arguments) throws Exception {
        int count = argument(arguments, 0, 64);
        int latency = argument(arguments, 1, 50);
        int runs = argument(arguments, 2, 40);
        int needed = argument(arguments, 3, count);
        Path folder = Files.createTempDirectory("negotiation-bench");
        var executor = FanOutExecutor.create();
        try (var database = Database.open(new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 4))) {
            var clock = Clock.systemUTC();
            var calls =
                    new SiteCalls(SiteDirectory.of(sites(count, latency, clock)), executor, Duration.ofSeconds(10), 64);
            var journal = database.books().journal();
            var sweeper = new OrphanSweeper(journal, calls, clock, Duration.ZERO);
            var engine = new ParallelNegotiation(
                    new NegotiationContext(calls, journal, sweeper, NegotiationBudget.DEFAULT, clock),
                    SearchStrategy.WINDOWS,
                    new SecureRandom());
            double[] millis = new double[runs];
            double[] beyond = new double[runs];
            for (int run = -runs / 2; run < runs; run++) {
                long begun = System.nanoTime();
                var outcome = (needed == count
                                ? engine.negotiate(request(count, clock.instant()))
                                : engine.choose(choice(count, needed, clock.instant())))
                        .fold(made -> made, NegotiationBench::failed, NegotiationBench::failed);
                double took = (System.nanoTime() - begun) / 1e6;
                if (run >= 0) {
                    millis[run] = took;
                    beyond[run] = took - 2 * SLOWEST.get() / 1e6;
                }
                SLOWEST.set(0);
                var keys = outcome.reservations().stream()
                        .map(r -> r.reservation().key())
                        .toList();
                sweeper.abandon(keys);
                sweeper.release(keys);
            }
            Arrays.sort(millis);
            Arrays.sort(beyond);
            System.out.printf(
                    "{\"sites\":%d,\"needed\":%d,\"latencyMillis\":%d,\"runs\":%d,\"java\":%d,\"medianMillis\":%.1f,\"p90Millis\":%.1f,"
                            + "\"goalMillis\":%d,\"medianBeyond\":%.1f,\"p90Beyond\":%.1f,\"goalBeyond\":20}%n",
                    count,
                    needed,
                    latency,
                    runs,
                    Runtime.version().feature(),
                    millis[runs / 2],
                    millis[runs * 9 / 10],
                    2 * latency + 20,
                    beyond[runs / 2],
                    beyond[runs * 9 / 10]);
        } finally {
            executor.shutdownNow();
        }
    }

    private static List<LocalScheduler> sites(int count, int latency, Clock clock) {
        List<LocalScheduler> sites = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sites.add(timed(
                    LocalScheduler.class,
                    new SimulatedSite(new SiteId("s" + i))
                            .nodes(128)
                            .latency(Duration.ofMillis(latency))
                            .open(clock)));
        }
        return sites;
    }

    /** The same, with a note of its slowest answer. */
    private static <T> T timed(Class<T> type, T site) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    long begun = System.nanoTime();
                    try {
                        Object answer = method.invoke(site, arguments);
                        return method.getName().equals("windowListing")
                                ? ((Optional<?>) answer)
                                        .map(listing -> timed(WindowListing.class, (WindowListing) listing))
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        SLOWEST.accumulateAndGet(System.nanoTime() - begun, Math::max);
                    }
                }));
    }

    private static CoAllocationRequest request(int count, Instant now) {
        List<SitePart> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(new SitePart(new SiteId("s" + i), ResourceRequest.nodes(16, Duration.ofHours(2))));
        }
        return new CoAllocationRequest(parts, now, now.plus(Duration.ofDays(2)));
    }

    private static ChoiceRequest choice(int count, int needed, Instant now) {
        var places = IntStream.range(0, count)
                .mapToObj(i -> new Place(new SiteId("s" + i), "s" + i, i % 7, 1, 0))
                .toList();
        var part = new OpenPart("nodes", ResourceRequest.nodes(16, Duration.ofHours(2)), places, Optional.empty());
        var timing = StageTiming.of(
                Collections.nCopies(needed, ""),
                Collections.nCopies(needed, part.request().duration()),
                List.of());
        var branch = new Branch(
                Collections.nCopies(needed, part),
                List.of(),
                timing,
                Duration.ZERO,
                now,
                now.plus(Duration.ofDays(2)),
                0);
        return new ChoiceRequest(List.of(branch), Preference.START);
    }

    private static int argument(String[] arguments, int index, int usual) {
        return index < arguments.length ? Integer.parseInt(arguments[index]) : usual;
    }
}
