package org.metasched.dag.slurm;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.dag.binding.DagProgress;

/**
 * A DAG that was handed to Slurm, seen from its directory: whether its jobs are still in the queue, which nodes are done, and how it
 * ended. Needs no memory of its own, so another process can ask later. Not thread-safe.
 */
public final class SlurmRun {

    /** Left in the directory of a DAG that has run to its end. */
    public static final String MARK = DagProgress.FINISHED_MARK;

    /** Waits between two looks. */
    @FunctionalInterface
    public interface Pause {
        void pause() throws InterruptedException;
    }

    /** How a run ended. */
    public sealed interface Ending {
        /** Every node is done. */
        record Finished(Set<String> done) implements Ending {}

        /**
         * Some nodes are not done.
         *
         * @param failed those that say so, and those that ended without a word while nothing they wait for had failed
         * @param done those that need not run again
         * @param rescue the file that says so
         */
        record Stopped(Set<String> failed, Set<String> done, Path rescue) implements Ending {}
    }

    private static final int MOST_REFUSALS = 5;

    private final Path dag;
    private final SlurmClient client;
    private final SlurmCommands commands;
    private final RunFolder folder;

    public SlurmRun(Path dag, SlurmClient client, SlurmCommands commands) {
        this.dag = dag.toAbsolutePath().normalize();
        this.client = client;
        this.commands = commands;
        this.folder = new RunFolder(top());
    }

    private Path top() {
        return java.util.Objects.requireNonNull(dag.getParent(), "an absolute file has a directory");
    }

    static Path mark(Path top) {
        return top.resolve(MARK);
    }

    /**
     * Keeps other processes from submitting the same DAG until it is closed.
     *
     * @throws IOException if one does already
     */
    public Closeable lock() throws IOException {
        return folder.lock();
    }

    public boolean isFinished() {
        return Files.exists(mark(top()));
    }

    /**
     * Cancels what a process that was killed while it submitted has left: nothing of it has run, as its first job is held. To be
     * called under the {@link #lock}. Whether there was anything.
     */
    public boolean endCutOffSubmission() throws IOException {
        if (!folder.exists() || !folder.wasCutOff()) {
            return false;
        }
        List<String> left = new ArrayList<>(queued());
        left.addAll(unheard());
        scancel(left);
        folder.forgetJobs();
        folder.isWhole();
        return true;
    }

    private void scancel(List<String> jobs) throws IOException {
        for (int from = 0; from < jobs.size(); from += 500) {
            List<String> some = jobs.subList(from, Math.min(jobs.size(), from + 500));
            client.run(commands.program("scancel", some.toArray(String[]::new)));
        }
    }

    /** First jobs that Slurm took before their number was written down. All others depend on one, and go with it. */
    private List<String> unheard() throws IOException {
        return client.run(commands.program("squeue", "--noheader", "--name=" + SlurmSubmission.START, "--format=%A|%Z"))
                .lines()
                .map(String::strip)
                .filter(line -> line.endsWith("|" + top()))
                .map(line -> line.substring(0, line.indexOf('|')))
                .toList();
    }

    /**
     * Cancels all jobs of the DAG and writes down what is done. To be called under the {@link #lock}.
     *
     * @param looks how often the queue is looked at until the last job has left it
     * @throws SlurmException if some are in the queue still
     */
    public void cancel(Clock clock, int looks, Pause pause) throws IOException, InterruptedException {
        if (endCutOffSubmission() || !folder.exists()) {
            return;
        }
        scancel(queued());
        for (int look = 1; !queued().isEmpty(); look++) {
            if (look >= looks) {
                throw new SlurmException("Slurm still has jobs of the DAG in its queue after scancel: "
                        + String.join(" ", queued()) + ".\nMaybe they are being ended; the same command looks again.");
            }
            pause.pause();
        }
        if (!isFinished()) {
            Set<String> done = doneSoFar();
            RescueFile.write(dag, clock, done.size() + folder.missing(), done, folder.failedNodes());
        }
    }

    /** Whether the last run was followed and has not come to its end. */
    public boolean isFollowed() throws IOException {
        return !new RunJournal(top().resolve(RunFolder.NAME)).entries().isEmpty();
    }

    /** The jobs of the DAG that are still in Slurm's queue. */
    public List<String> queued() throws IOException {
        if (!folder.exists()) {
            return List.of();
        }
        Collection<String> ours = folder.jobs().keySet();
        if (ours.isEmpty()) {
            return List.of();
        }
        Set<String> queue = client.run(commands.program("squeue", "--noheader", "--format=%A"))
                .lines()
                .map(String::strip)
                .collect(Collectors.toSet());
        return ours.stream().filter(queue::contains).toList();
    }

    /**
     * Writes down what an earlier run, of which nothing is in the queue any more, has done; nothing if there was none or it has
     * been written down.
     */
    public Optional<Path> rescueEarlierRun(Clock clock) throws IOException {
        if (!folder.exists() || folder.doneNodes().isEmpty()) {
            return Optional.empty();
        }
        Set<String> done = doneSoFar();
        Optional<Path> newest = RescueFile.newest(dag);
        if (newest.isPresent() && RescueFile.doneNodes(newest.get()).containsAll(done)) {
            return Optional.empty();
        }
        return Optional.of(RescueFile.write(dag, clock, done.size() + folder.missing(), done, folder.failedNodes()));
    }

    private Set<String> doneSoFar() throws IOException {
        Set<String> done = new LinkedHashSet<>();
        Optional<Path> newest = RescueFile.newest(dag);
        if (newest.isPresent()) {
            done.addAll(RescueFile.doneNodes(newest.get()));
        }
        done.addAll(folder.doneNodes());
        return done;
    }

    /**
     * Waits until no job of the plan is left in the queue, and says how it ended. If nodes are missing, a rescue file is written.
     *
     * @throws SlurmException if Slurm does not answer several times in a row; the jobs go on
     */
    public Ending await(SlurmPlan plan, Clock clock, Pause pause) throws IOException, InterruptedException {
        int refusals = 0;
        int empty = 0;
        // Marks come over a network file system, so they are given one more look than the queue.
        while (!isFinished() && empty < 2) {
            pause.pause();
            try {
                empty = queued().isEmpty() ? empty + 1 : 0;
                refusals = 0;
            } catch (SlurmException e) {
                refusals++;
                if (refusals >= MOST_REFUSALS) {
                    throw new SlurmException(e.getMessage() + "\nThe jobs go on; the same command without new jobs is"
                            + " not needed: the last job leaves the mark " + mark(top()) + ".");
                }
            }
        }
        Set<String> done = new LinkedHashSet<>(plan.done());
        done.addAll(folder.doneNodes());
        if (isFinished()) {
            return new Ending.Finished(done);
        }
        Set<String> failed = failed(plan, done);
        if (failed.isEmpty()) {
            // All nodes are done, and only the job that would say so was lost.
            Files.writeString(mark(top()), "");
            return new Ending.Finished(done);
        }
        return new Ending.Stopped(failed, done, RescueFile.write(dag, clock, plan.nodeCount(), done, failed));
    }

    private Set<String> failed(SlurmPlan plan, Set<String> done) throws IOException {
        Set<String> failed = new LinkedHashSet<>(folder.failedNodes());
        List<Boolean> complete = new ArrayList<>();
        for (PlannedNode node : plan.nodes()) {
            boolean parentsDone = node.parents().stream().allMatch(complete::get);
            boolean isDone = node.name().isEmpty() ? parentsDone : done.contains(node.name());
            complete.add(isDone);
            if (!isDone && parentsDone && node.runs()) {
                failed.add(node.name());
            }
        }
        return failed;
    }
}
