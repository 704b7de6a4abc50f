package org.metasched.cli.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Reading;
import org.metasched.classad.gang.Algorithm;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.GangWorkload;
import org.metasched.classad.gang.PortedAd;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched gang bench}: the experiment of the 2003 paper, from ClassAd text to gangs. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Runs the gangmatching paper's workload: jobs that need a workstation and a licence valid on it.")
final class GangBenchCommand implements Runnable {

    @Mixin
    private OutputOptions output;

    @Option(names = "--jobs", required = true, description = "How many jobs, and as many workstations.")
    private int jobs;

    @Option(
            names = "--license-density",
            defaultValue = "50",
            description = "Licences per hundred jobs (default: ${DEFAULT-VALUE}).")
    private int licenseDensity;

    @Option(
            names = "--selectivity",
            defaultValue = "1",
            description = "Disjoint partitions of workstations and licences (default: ${DEFAULT-VALUE}).")
    private int selectivity;

    @Option(
            names = "--algorithm",
            defaultValue = "dynamic",
            description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Algorithm algorithm;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the workload (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--hard", description = "The variant that makes first fit lose gangs.")
    private boolean hard;

    @Option(names = "--continuous", description = "Values that hardly repeat.")
    private boolean continuous;

    @Option(
            names = "--runs",
            defaultValue = "1",
            description = "Repeat so often in this process; times are medians (default: ${DEFAULT-VALUE}).")
    private int runs;

    /** Milliseconds of one run: text to ads, ads to indexes, indexes to gangs. */
    private record Times(double parse, double index, double match) {
        double total() {
            return parse + index + match;
        }
    }

    @Override
    public void run() {
        if (runs < 1) {
            throw Failure.badInput("The number of runs (" + runs + ") must be positive.");
        }
        var workload = new GangWorkload(jobs, licenseDensity, selectivity, seed, continuous, false, hard);
        String jobAds = workload.jobAds();
        String offerAds = workload.machineAds() + workload.licenseAds();
        var times = new ArrayList<Times>();
        CycleOutcome outcome = null;
        for (int i = 0; i < runs; i++) {
            outcome = null;
            outcome = once(jobAds, offerAds, algorithm, times);
        }
        if (outcome != null) {
            report(workload, outcome, times, jobAds.length() + offerAds.length());
        }
    }

    private static CycleOutcome once(String jobAds, String offerAds, Algorithm algorithm, List<Times> times) {
        long start = System.nanoTime();
        List<ClassAd> jobs = parsed(jobAds);
        List<ClassAd> offers = parsed(offerAds);
        long parsed = System.nanoTime();
        List<PortedAd> roots = jobs.stream().map(PortedAd::of).toList();
        var pool = new GangPool(offers);
        long indexed = System.nanoTime();
        CycleOutcome outcome = GangCycle.run(roots, pool, algorithm);
        long matched = System.nanoTime();
        times.add(new Times((parsed - start) / 1e6, (indexed - parsed) / 1e6, (matched - indexed) / 1e6));
        return outcome;
    }

    private static List<ClassAd> parsed(String text) {
        try {
            return ClassAd.parseAll(text, Reading.NEW.with(Reading.NEW.limits().withTextBytes(Integer.MAX_VALUE)));
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("The workload is not ClassAd text: " + e.getMessage(), e);
        }
    }

    private void report(GangWorkload workload, CycleOutcome outcome, List<Times> times, long bytes) {
        Map<String, Object> document =
                GangJson.summary(algorithm, workload.jobs(), outcome, median(times, Times::match));
        document.put("jobs", workload.jobs());
        document.put("licenseDensity", workload.licenseDensity());
        document.put("selectivity", workload.selectivity());
        document.put("seed", workload.seed());
        document.put("hard", workload.hard());
        document.put("continuous", workload.continuous());
        document.put(
                "probesPerJob",
                workload.jobs() == 0 ? 0.0 : (double) outcome.effort().probes() / workload.jobs());
        document.put("parseMillis", median(times, Times::parse));
        document.put("indexMillis", median(times, Times::index));
        document.put("textToGangsMillis", median(times, Times::total));
        document.put("textBytes", bytes);
        document.put("runs", times.size());
        if (algorithm == Algorithm.EXACT) {
            document.put("greedyGangs", greedyGangs(workload));
        }
        if (output.json()) {
            output.printJson(document);
        } else {
            document.forEach((key, value) -> output.out().println(key + " " + value));
            output.out().flush();
        }
    }

    /** What the dynamic algorithm makes of the same workload: how far the greedy order is from the optimum. */
    private static int greedyGangs(GangWorkload workload) {
        String offers = workload.machineAds() + workload.licenseAds();
        return once(workload.jobAds(), offers, Algorithm.DYNAMIC, new ArrayList<>())
                .gangs();
    }

    private static double median(List<Times> times, java.util.function.ToDoubleFunction<Times> part) {
        double[] sorted = times.stream().mapToDouble(part).sorted().toArray();
        double median = sorted[sorted.length / 2];
        return Arrays.stream(new double[] {median})
                .map(m -> Math.round(m * 1000) / 1000.0)
                .sum();
    }
}
