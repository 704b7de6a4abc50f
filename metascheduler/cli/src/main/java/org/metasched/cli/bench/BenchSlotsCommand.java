package org.metasched.cli.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.CommonSlotSearch;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.metasched.sites.SiteDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched bench slots}: the common-slot search over simulated sites that take their time to answer. */
@Command(
        name = "slots",
        mixinStandardHelpOptions = true,
        description = {
            "Looks for a common slot over simulated sites, and reserves it.",
            "Each run has new sites of 128 nodes whose plans are filled at random for 7 days ahead, less the further",
            "ahead, and wants 16 nodes for 2 hours at all of them. Prints medians over the runs."
        })
final class BenchSlotsCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Mixin
    private OutputOptions output;

    @Option(names = "--sites", required = true, description = "Number of sites, 1 to 1024.")
    private int sites;

    @Option(names = "--load", required = true, description = "Share of the machines that is taken, 0 to 0.95.")
    private double load;

    @Option(
            names = "--algorithm",
            defaultValue = "windows",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private SearchStrategy algorithm;

    @Option(
            names = "--latency-ms",
            defaultValue = "0",
            description = "How long each site takes to answer (default: ${DEFAULT-VALUE}).")
    private int latencyMillis;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the first run (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--runs", defaultValue = "20", description = "Runs, 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int runs;

    /** One search, and the reservations after it; {@code start} is empty when there is no common slot. */
    private record Run(int rounds, int calls, double millis, double lookAndReserveMillis, Optional<Instant> start) {}

    /** What is printed. */
    private record Figures(
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

    @Override
    public Integer call() throws InterruptedException, LocalSchedulerException {
        check("number of sites", sites, 1, 1024);
        check("number of runs", runs, 1, 1000);
        check("latency in milliseconds", latencyMillis, 0, 60_000);
        if (!(load >= 0 && load <= 0.95)) {
            throw Failure.badInput("The load (" + load + ") must be from 0 to 0.95.");
        }
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
        print(figures(all));
        return 0;
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw Failure.badInput("The " + what + " (" + value + ") must be from " + least + " to " + most + ".");
        }
    }

    private Run run(ExecutorService executor, long runSeed) throws InterruptedException, LocalSchedulerException {
        var plan = new FilledSites(sites, load, runSeed);
        var request = ResourceRequest.nodes(16, Duration.ofHours(2));
        var parts = plan.sites().stream()
                .map(site -> new SitePart(site.site(), request))
                .toList();
        plan.sites().forEach(site -> site.answersWithin(Duration.ofMillis(latencyMillis)));
        var calls = new SiteCalls(SiteDirectory.of(plan.sites()), executor, TIMEOUT, sites);
        long began = System.nanoTime();
        var result = new CommonSlotSearch(calls, algorithm)
                .search(parts, plan.now(), plan.now().plus(FilledSites.WINDOW), 100_000);
        double looked = millisSince(began);
        Optional<Instant> start =
                result instanceof CommonSlotSearch.Result.Found found ? Optional.of(found.start()) : Optional.empty();
        if (start.isPresent()) {
            reserve(calls, plan.sites(), request, start.get());
        }
        return new Run(result.rounds(), result.calls(), looked, millisSince(began), start);
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
                throw Failure.world("The slot that was found could not be reserved: "
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

    private void print(Figures figures) {
        if (output.json()) {
            output.printJson(figures);
            return;
        }
        output.out()
                .printf(
                        "%s, %d sites, load %s, %d ms: %s rounds, %s calls, %s ms, with reservations %s ms, found in %.0f %% of %d"
                                + " runs%n",
                        figures.algorithm(),
                        sites,
                        load,
                        latencyMillis,
                        figures.rounds(),
                        figures.calls(),
                        figures.millis(),
                        figures.lookAndReserveMillis(),
                        100 * figures.foundShare(),
                        figures.runs());
        output.out().flush();
    }
}
