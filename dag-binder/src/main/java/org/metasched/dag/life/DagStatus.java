package org.metasched.dag.life;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.dag.Dag;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.DagSlurmCommands;
import org.metasched.dag.slurm.RescueFile;
import org.metasched.dag.slurm.RunSnapshot;
import org.metasched.dag.slurm.SlurmClient;

/**
 * Progress of a bound DAG, from the files that its runner leaves in its directory and from Slurm's queue. Immutable.
 *
 * @param file the DAG file, absolute
 * @param dag the graph
 * @param binding record of the binding
 * @param way the program that runs the DAG, or ran it last
 * @param progress progress of the whole DAG
 * @param isInterrupted whether a run on Slurm began and has not ended, but no process or job continues it
 * @param states states of all nodes by name, in the order of the files
 * @param expectedEnd expected end at the pace so far, if a node has finished since a running DAG began
 * @param rescue the rescue file from which the DAG resumes
 * @param jobs the numbers of Slurm's jobs by their nodes
 * @param problem last output of the runner's job, if it was interrupted
 */
public record DagStatus(
        Path file,
        Dag dag,
        BindingRecord binding,
        Way way,
        DagProgress progress,
        boolean isInterrupted,
        Map<String, RunState> states,
        Optional<Instant> expectedEnd,
        Optional<Path> rescue,
        Map<String, String> jobs,
        Optional<String> problem) {

    /** The programs that run DAGs. */
    public enum Way {
        NONE,
        /** condor_dagman. */
        CONDOR,
        /** A job of Slurm, submitted by {@code dag run}. */
        SLURM,
        /** The process of {@code dag run --follow}. */
        FOLLOWED
    }

    public DagStatus {
        states = Collections.unmodifiableMap(new LinkedHashMap<>(states));
        jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
    }

    /**
     * The status of a DAG. Reads its files, and asks Slurm once if its runner is a job there.
     *
     * @throws IOException if the directory holds no bound DAG, or cannot be read
     * @throws org.metasched.dag.slurm.SlurmException if Slurm does not answer
     */
    public static DagStatus of(Path directory, SlurmClient client, DagSlurmCommands commands, Instant now)
            throws IOException {
        Path top = directory.toAbsolutePath().normalize();
        BindingRecord binding = BindingRecord.find(top).orElseThrow(() -> new IOException(withoutRecord(directory)));
        String name = binding.origin().dag();
        Path file = top.resolve(name);
        DagNodes nodes = new DagParser().nodes(file);
        boolean isCondors = DagProgress.isOfCondor(top, name);
        // The snapshot of the run is taken before its progress is read: a run that ends between them has ended, and was
        // not interrupted.
        Optional<RunSnapshot> slurm = isCondors ? Optional.empty() : RunSnapshot.at(file, nodes, client, commands);
        DagProgress progress = DagProgress.of(top, name);
        Optional<Path> rescue = RescueFile.newest(file);
        RunSnapshot snapshot = slurm.isPresent() ? slurm.get() : CondorLog.snapshot(file, nodes, progress, rescue);
        Way way = slurm.map(run -> run.isJob() ? Way.SLURM : Way.FOLLOWED).orElse(isCondors ? Way.CONDOR : Way.NONE);
        boolean isOpen = slurm.isPresent() && (progress == DagProgress.RUNNING || progress == DagProgress.BOUND);
        return new DagStatus(
                file,
                nodes.parsed().dag(),
                binding,
                way,
                isOpen && snapshot.isUnderWay() ? DagProgress.RUNNING : progress,
                isOpen && !snapshot.isUnderWay(),
                snapshot.states(),
                snapshot.isUnderWay() ? end(snapshot, now) : Optional.empty(),
                rescue,
                snapshot.jobs(),
                isOpen ? snapshot.lastOutput() : Optional.empty());
    }

    private static String withoutRecord(Path directory) {
        return RebindTransaction.isUnderWay(directory)
                ? "The DAG of (" + directory + ") is on its way to another site, or its move was cut off."
                        + "\nMaybe dag release or dag rebind, which first complete the move."
                : "The directory (" + directory + ") holds no bound DAG: " + BindingRecord.FILE + " is not there.";
    }

    /** The end at the pace so far: each node that is left takes as long as those that are done took. */
    private static Optional<Instant> end(RunSnapshot snapshot, Instant now) {
        var states = snapshot.states().values();
        long done = states.stream().filter(RunState.DONE::equals).count() - snapshot.doneBefore();
        long left = states.stream()
                .filter(state -> state.ordinal() < RunState.DONE.ordinal())
                .count();
        return snapshot.begun()
                .filter(since -> done > 0 && left > 0)
                .map(since ->
                        now.plus(Duration.between(since, now).multipliedBy(left).dividedBy(done)));
    }

    public Path directory() {
        return DagParser.folderOf(file);
    }

    /** One word: bound, running, interrupted, stopped or finished. */
    public String word() {
        return isInterrupted ? "interrupted" : progress.name().toLowerCase(Locale.ROOT);
    }

    /** The number of nodes in a state. */
    public long count(RunState state) {
        return states.values().stream().filter(state::equals).count();
    }
}
