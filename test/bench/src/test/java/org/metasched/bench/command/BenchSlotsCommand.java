package org.metasched.bench.command;

import java.util.concurrent.Callable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.negotiation.SearchStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched bench slots}: the door of {@link SlotBench}. */
@Command(
        name = "slots",
        mixinStandardHelpOptions = true,
        description = {
            "Looks for a common slot over simulated sites, and reserves it.",
            "Each run has new sites of 128 nodes whose plans are filled at random for 7 days ahead, less the further",
            "ahead, and wants 16 nodes for 2 hours at all of them. Prints medians over the runs."
        })
final class BenchSlotsCommand implements Callable<Integer> {

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

    @Override
    public Integer call() throws InterruptedException, LocalSchedulerException {
        check("number of sites", sites, 1, 1024);
        check("number of runs", runs, 1, 1000);
        check("latency in milliseconds", latencyMillis, 0, 60_000);
        if (!(load >= 0 && load <= 0.95)) {
            throw ExitCodeException.badInput("The load (" + load + ") must be from 0 to 0.95.");
        }
        print(new SlotBench(sites, load, algorithm, latencyMillis, seed, runs).measured());
        return 0;
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw ExitCodeException.badInput(
                    "The " + what + " (" + value + ") must be from " + least + " to " + most + ".");
        }
    }

    private void print(SlotBench.Figures figures) {
        output.print(
                figures,
                out -> out.printf(
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
                        figures.runs()));
    }
}
