package org.metasched.bench.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;
import org.metasched.bench.command.GangBench.Times;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.cli.gang.GangSummary;
import org.metasched.cli.output.ExitCodeException;
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
    private GangAlgorithm algorithm;

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
            throw ExitCodeException.badInput("The number of runs (" + runs + ") must be positive.");
        }
        var workload = new GangWorkload(jobs, licenseDensity, selectivity, seed, continuous, false, hard);
        report(workload, GangBench.of(workload, algorithm, runs));
    }

    /** What is printed; the median of matching is among the figures of the cycle. */
    private record Figures(
            @JsonUnwrapped GangSummary summary,
            int jobs,
            int licenseDensity,
            int selectivity,
            long seed,
            boolean hard,
            boolean continuous,
            double probesPerJob,
            double parseMillis,
            double indexMillis,
            double textToGangsMillis,
            long textBytes,
            int runs,
            @JsonInclude(Include.NON_ABSENT) Optional<Integer> greedyGangs) {}

    private void report(GangWorkload workload, GangBench bench) {
        CycleOutcome outcome = bench.outcome();
        var figures = new Figures(
                GangSummary.of(algorithm, workload.jobs(), outcome, bench.median(Times::match)),
                workload.jobs(),
                workload.licenseDensity(),
                workload.selectivity(),
                workload.seed(),
                workload.hard(),
                workload.continuous(),
                workload.jobs() == 0 ? 0.0 : (double) outcome.effort().probes() / workload.jobs(),
                bench.median(Times::parse),
                bench.median(Times::index),
                bench.median(Times::total),
                bench.textBytes(),
                bench.times().size(),
                algorithm == GangAlgorithm.EXACT ? Optional.of(greedyGangs(workload)) : Optional.empty());
        FigurePrinter.print(output, figures, "%s %s%n");
    }

    /** What the dynamic algorithm makes of the same workload: how far the greedy order is from the optimum. */
    private static int greedyGangs(GangWorkload workload) {
        return GangBench.of(workload, GangAlgorithm.DYNAMIC, 1).outcome().gangs();
    }
}
