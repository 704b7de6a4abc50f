package org.metasched.cli.gang;

import java.util.Map;
import org.metasched.classad.gang.Algorithm;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.cli.bench.GangBench;
import org.metasched.cli.bench.GangBench.Times;
import org.metasched.cli.bench.GangWorkload;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code metasched gang bench}: the experiment of the 2003 paper, from ClassAd text to gangs; the door of {@link
 * GangBench}.
 */
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

    @Override
    public void run() {
        if (runs < 1) {
            throw Failure.badInput("The number of runs (" + runs + ") must be positive.");
        }
        var workload = new GangWorkload(jobs, licenseDensity, selectivity, seed, continuous, false, hard);
        report(workload, GangBench.of(workload, algorithm, runs));
    }

    private void report(GangWorkload workload, GangBench bench) {
        CycleOutcome outcome = bench.outcome();
        Map<String, Object> document =
                GangJson.summary(algorithm, workload.jobs(), outcome, bench.median(Times::match));
        document.put("jobs", workload.jobs());
        document.put("licenseDensity", workload.licenseDensity());
        document.put("selectivity", workload.selectivity());
        document.put("seed", workload.seed());
        document.put("hard", workload.hard());
        document.put("continuous", workload.continuous());
        document.put(
                "probesPerJob",
                workload.jobs() == 0 ? 0.0 : (double) outcome.effort().probes() / workload.jobs());
        document.put("parseMillis", bench.median(Times::parse));
        document.put("indexMillis", bench.median(Times::index));
        document.put("textToGangsMillis", bench.median(Times::total));
        document.put("textBytes", bench.textBytes());
        document.put("runs", bench.times().size());
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
        return GangBench.of(workload, Algorithm.DYNAMIC, 1).outcome().gangs();
    }
}
