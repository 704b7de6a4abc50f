package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.command.ShellQuoting;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.dag.life.DagStatus;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.SlurmException;
import org.metasched.dag.slurm.SlurmProcesses;

/** View of a bound DAG in commands: in lines and as a document. */
public record DagOverview(DagStatus status, boolean holdsMatch) {

    /** The current view of a DAG; Slurm's commands are called as the last run called them. */
    public static DagOverview of(Path directory) {
        try {
            Instant now = Clock.systemUTC().instant();
            return new DagOverview(
                    DagStatus.of(directory, new SlurmProcesses(), RunArguments.commands(directory), now),
                    MatchNote.find(directory).isPresent());
        } catch (SlurmException e) {
            throw ExitCodeException.outside(String.valueOf(e.getMessage()));
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            // A DAG that is being moved is away for a moment.
            throw RebindTransaction.isUnderWay(directory)
                    ? ExitCodeException.outside(ErrorMessages.of(e))
                    : ExitCodeException.badInput(ErrorMessages.of(e));
        }
    }

    /** The exit code of a DAG that is finished, stopped or interrupted; empty while it runs, and before it is run. */
    public Optional<Integer> end() {
        if (status.progress() == DagProgress.FINISHED) {
            return Optional.of(0);
        }
        return status.isInterrupted() || status.progress() == DagProgress.STOPPED
                ? Optional.of(ExitCodeException.NO)
                : Optional.empty();
    }

    /** The view as lines; the first is a summary. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("DAG " + OutputOptions.plain(status.directory().toString()) + " is " + status.word() + " at site "
                + status.binding().site()
                + switch (status.way()) {
                    case NONE -> "";
                    case CONDOR -> ", run by condor_dagman";
                    case SLURM -> ", run by a job of Slurm";
                    case FOLLOWED -> ", followed on Slurm";
                });
        List<String> parts = new ArrayList<>();
        parts.add(status.count(RunState.DONE) + " of " + status.states().size() + " nodes done");
        for (RunState state : RunState.values()) {
            if (state != RunState.DONE && status.count(state) > 0) {
                parts.add(status.count(state) + " "
                        + state.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            }
        }
        status.expectedEnd().ifPresent(end -> parts.add("may end at " + end.truncatedTo(ChronoUnit.SECONDS)));
        lines.add(String.join(", ", parts));
        status.problem().ifPresent(problem -> lines.add("its runner said last: " + OutputOptions.plain(problem)));
        return lines;
    }

    /** Advice for the user, if there is any. */
    Optional<String> advice() {
        return end().filter(code -> code == ExitCodeException.NO)
                .map(code -> "Maybe 'metasched dag resume "
                        + ShellQuoting.word(
                                OutputOptions.plain(status.directory().toString())) + "' goes on with it.");
    }

    /**
     * A DAG as scripts see it.
     *
     * @param counts number of nodes, by state
     * @param problem last output of the runner's job, if it was interrupted
     * @param byNode details of each node; null for a summary
     */
    public record Shown(
            Path directory,
            String dag,
            String site,
            String state,
            String way,
            boolean holdsMatch,
            Map<RunState, Long> counts,
            int nodes,
            Optional<Instant> expectedEnd,
            Optional<Path> rescue,
            Optional<String> problem,
            @JsonUnwrapped @Nullable ByNode byNode) {}

    /** @param jobs the number of Slurm's job of each node that has one */
    public record ByNode(Map<String, String> jobs, Map<String, RunState> states) {}

    /** The document with the state of each node. */
    public Shown shown() {
        return shown(new ByNode(status.jobs(), status.states()));
    }

    /** The document without the state of each node. */
    Shown summary() {
        return shown(null);
    }

    private Shown shown(@Nullable ByNode byNode) {
        Map<RunState, Long> counts = new EnumMap<>(RunState.class);
        for (RunState state : RunState.values()) {
            counts.put(state, status.count(state));
        }
        return new Shown(
                status.directory(),
                status.binding().origin().dag(),
                status.binding().site(),
                status.word(),
                status.way().name().toLowerCase(Locale.ROOT),
                holdsMatch,
                counts,
                status.states().size(),
                status.expectedEnd(),
                status.rescue(),
                status.problem(),
                byNode);
    }

    /** @throws ExitCodeException if the thread is interrupted */
    static void pause(Duration span) {
        try {
            Thread.sleep(span.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ExitCodeException.outside("The waiting was interrupted; what runs goes on.");
        }
    }
}
