package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ExitCodeException;
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

    private static final int MOST_REFUSALS = 5;

    @Option(names = "--poll", paramLabel = "SECONDS", description = "From look to look. Default: 2.")
    private int poll = 2;

    @Mixin
    private BoundDags dags = new BoundDags();

    @Override
    public Integer call() throws IOException {
        ExitCodeException.badInputIf(poll < 1, "The pause between two looks (%s) must be at least 1 second.", poll);
        int exit = 0;
        for (Path directory : dags.directories()) {
            DagOverview overview = awaitEnd(directory, poll);
            output.print(overview.shown(), String.join("; ", overview.lines()));
            overview.advice().ifPresent(output::say);
            exit = Math.max(exit, overview.end().orElse(0));
        }
        return exit;
    }

    /** Waits for the end of a DAG. Any but success must be seen twice: a job may be on its way from one state to the next. */
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
