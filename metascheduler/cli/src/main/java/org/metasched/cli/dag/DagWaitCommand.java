package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched dag wait}: waits for the ends of DAGs. */
@Command(
        name = "wait",
        description = {
            "Waits until all of the DAGs have come to an end, whichever program runs them.",
            "Exits with 0 if all are finished, 1 if one has stopped or was interrupted, 3 if Slurm does not answer."
        })
final class DagWaitCommand extends PrintingCommand implements Callable<Integer> {

    /** The time from look to look unless {@code --poll} says another, in seconds. */
    static final int USUAL_POLL = 2;

    /** Failures of Slurm in a row after which the wait ends. */
    private static final int MOST_REFUSALS = 5;

    @Option(names = "--poll", paramLabel = "SECONDS", description = "From look to look. Default: 2.")
    private int poll = USUAL_POLL;

    @Mixin
    private BoundDags dags = new BoundDags();

    @Override
    public Integer call() throws IOException {
        ExitCodeException.badInputIf(poll < 1, "--poll (%s) must be at least 1 second.", poll);
        return new DagBatch(output, dags.directories()).each(directory -> await(directory, poll, output));
    }

    /** Waits for the end of a DAG, and prints it; returns the exit code. */
    static int await(Path directory, int poll, OutputOptions output) {
        DagOverview overview = awaitEnd(directory, poll);
        output.print(overview.shown(), String.join("; ", overview.lines()));
        overview.advice().ifPresent(output::say);
        return overview.end().orElse(0);
    }

    /**
     * Waits for the end of a DAG. An end that is no success must be seen twice: a job may be on its way from one state to the next.
     *
     * @param poll seconds from look to look
     */
    static DagOverview awaitEnd(Path directory, int poll) {
        int refusals = 0;
        int ends = 0;
        while (true) {
            try {
                DagOverview overview = DagOverview.of(directory);
                Optional<Integer> end = overview.end();
                ends = end.isPresent() ? ends + 1 : 0;
                if (ends > 1 || end.equals(Optional.of(0))) {
                    return overview;
                }
                refusals = 0;
            } catch (ExitCodeException e) {
                refusals++;
                if (e.exitCode() != ExitCodeException.OUTSIDE || refusals == MOST_REFUSALS) {
                    throw e;
                }
            }
            DagOverview.pause(Duration.ofSeconds(poll));
        }
    }
}
