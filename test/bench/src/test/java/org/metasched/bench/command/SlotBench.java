package org.metasched.bench.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.InMemoryJournal;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.metasched.sites.SiteDirectory;

/**
 * The common-slot search over simulated sites that take their time to answer, and the reservation of the slot that it
 * finds. Each run has new {@link FilledSites}; the figures are medians over the runs.
 *
 * @param sites how many
 * @param load share of the machines that is taken
 * @param latencyMillis after which each site answers
 * @param seed of the first run
 */
record SlotBench(int sites, double load, SearchStrategy algorithm, int latencyMillis, long seed, int runs) {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final NegotiationBudget BUDGET =
            new NegotiationBudget(Duration.ZERO, 100_000, 1, Duration.ofDays(1), Duration.ZERO);

    /** One search, and the reservations after it; {@code start} is empty when there is no common slot. */
    private record Run(int rounds, int calls, double millis, double lookAndReserveMillis, Optional<Instant> start) {}

    /** What is printed. */
    record Figures(
            String algorithm,
            int sites,
            double load,
            int latencyMillis,
            long seed,
            int runs,
            double rounds,
            double calls,
            double millis,
            double lookAndReserveMillis,
            double foundShare,
            boolean found,
            String start) {}

    Figures measured() throws InterruptedException, LocalSchedulerException {
        var all = new ArrayList<Run>();
        var executor = FanOutExecutor.create();
        try {
            // The first run is not counted: classes are loaded and threads are made in it.
            run(executor, seed);
            for (int i = 0; i < runs; i++) {
                all.add(run(executor, seed + i));
            }
        } finally {
            executor.shutdownNow();
        }
        return figures(all);
    }

    private Run run(ExecutorService executor, long runSeed) throws InterruptedException, LocalSchedulerException {
        var plan = new FilledSites(sites, load, runSeed);
        var request = ResourceRequest.nodes(16, Duration.ofHours(2));
        var parts = plan.sites().stream()
                .map(site -> new SitePart(site.site(), request))
                .toList();
        plan.sites().forEach(site -> site.answersWithin(Duration.ofMillis(latencyMillis)));
        var calls = new SiteCalls(SiteDirectory.of(plan.sites()), executor, TIMEOUT, sites);
        var clock = Clock.fixed(plan.now(), ZoneOffset.UTC);
        var journal = new InMemoryJournal();
        var sweeper = new OrphanSweeper(journal, calls, clock, Duration.ZERO);
        var engine = new ParallelNegotiation(
                new NegotiationContext(calls, journal, sweeper, BUDGET, clock), algorithm, new Random(runSeed));
        var deadline = plan.now().plus(FilledSites.WINDOW).plus(request.duration());
        long began = System.nanoTime();
        var found = engine.plan(new CoAllocationRequest(parts, plan.now(), deadline));
        double looked = millisSince(began);
        var start = found.plans().stream()
                .map(first -> Instant.ofEpochSecond(first.start()))
                .findFirst();
        if (start.isPresent()) {
            reserve(calls, plan.sites(), request, start.get());
        }
        return new Run(found.effort().rounds(), found.effort().calls(), looked, millisSince(began), start);
    }

    private static double millisSince(long began) {
        return (System.nanoTime() - began) / 10_000 / 100.0;
    }

    private static void reserve(SiteCalls calls, List<SimulatedScheduler> sites, ResourceRequest request, Instant start)
            throws InterruptedException {
        var orders = IntStream.range(0, sites.size())
                .mapToObj(i -> new Call<Reservation>(
                        sites.get(i).site(), site -> site.reserve(new RequestKey("bench-" + i), request, start)))
                .toList();
        for (var answer : calls.askAll(orders)) {
            if (answer instanceof Answer.Failed<Reservation> failed) {
                throw ExitCodeException.outside("The slot that was found could not be reserved: "
                        + failed.problem().getMessage());
            }
        }
    }

    private Figures figures(List<Run> all) {
        var starts = all.stream().flatMap(run -> run.start().stream()).sorted().toList();
        double share = starts.size() / (double) all.size();
        return new Figures(
                algorithm.name().toLowerCase(Locale.ROOT),
                sites,
                load,
                latencyMillis,
                seed,
                all.size(),
                median(all.stream().map(run -> (double) run.rounds()).toList()),
                median(all.stream().map(run -> (double) run.calls()).toList()),
                median(all.stream().map(Run::millis).toList()),
                median(all.stream().map(Run::lookAndReserveMillis).toList()),
                share,
                share >= 0.5,
                starts.isEmpty() ? "" : starts.get(starts.size() / 2).toString());
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return Math.round(median * 100) / 100.0;
    }
}
