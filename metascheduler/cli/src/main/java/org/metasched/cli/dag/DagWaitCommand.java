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

/** {@code metasched dag wait}: until DAGs have come to their end. */
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
            DagOverview sight = ended(directory, poll);
            output.print(sight.shown(), String.join("; ", sight.lines()));
            sight.advice().ifPresent(output::say);
            exit = Math.max(exit, sight.end().orElse(0));
        }
        return exit;
    }

    /** An end other than the good one counts when it is seen twice: a job may be on its way from one state to the next. */
    static DagOverview ended(Path directory, int poll) {
        int refusals = 0;
        int ends = 0;
        while (true) {
            try {
                DagOverview sight = DagOverview.of(directory);
                Optional<Integer> end = sight.end();
                ends = end.isPresent() ? ends + 1 : 0;
                if (ends > 1 || end.equals(Optional.of(0))) {
                    return sight;
                }
                refusals = 0;
            } catch (ExitCodeException e) {
                refusals++;
                if (e.exitCode() != ExitCodeException.WORLD || refusals == MOST_REFUSALS) {
                    throw e;
                }
            }
            DagOverview.pause(Duration.ofSeconds(poll));
        }
    }
}
