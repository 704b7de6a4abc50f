package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.metasched.dag.DagNode;
import org.metasched.dag.NodeKind;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.RescueState;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/**
 * Runs a bound DAG node by node: the jobs of a node as a job array of Slurm, its scripts as processes here. Each event is in a journal
 * before the run acts on it. The same command continues the run of a process that was killed anywhere: a job that Slurm took before the
 * journal says so is found by its name, and no proc runs twice in one attempt. Not thread-safe.
 */
public final class DagmanRun {

    private static final int MOST_REFUSALS = 5;
    private static final int MOST_POLLS_WITHOUT_JOB = 2;
    /** The file that asks for the end of a run, and the entry of the journal about it. */
    static final String CANCEL = "cancel";

    private final DagmanPlan plan;
    private final RunContext context;
    private final RunJournal journal;
    private final boolean isNew;
    private final ReplayedRun replayed;
    private final NodeJobs jobs;
    private final PreAndPostScripts scripts;
    private final NodeStatusFile statusFile;
    private final JobstateLog stateLog;
    private final Map<RunNode, DagmanRun> inner = new LinkedHashMap<>();
    /** An event that is accepted while {@link #carryOut} runs does not call it again: its loop sees what follows. */
    private boolean isCarryingOut;
    /** The earliest time of the next submission, in milliseconds since 1970. */
    private long nextSubmitTime;

    /** @param reservation name of a reservation of Slurm for the jobs */
    public DagmanRun(
            DagmanPlan plan,
            SlurmClient client,
            DagSlurmCommands commands,
            Optional<String> reservation,
            RunOptions options,
            Clock clock)
            throws IOException {
        this(plan, new RunContext(new SlurmQueue(client, commands), reservation, options, clock));
    }

    private DagmanRun(DagmanPlan plan, RunContext context) throws IOException {
        this.plan = plan;
        this.context = context;
        this.journal = new RunJournal(plan.folder);
        this.isNew = journal.entries().isEmpty();
        var entries = journal.beginOrContinue(plan.file, context.clock(), plan.settings.options(context.options()));
        this.jobs = new NodeJobs(
                plan, context.queue(), context.reservation(), entries.get(0).get(1));
        this.scripts = new PreAndPostScripts(plan.top(), plan.environment);
        this.replayed = new ReplayedRun(
                plan.nodes,
                ReplayedRun.doneBefore(entries, plan.file),
                RunOptions.parse(entries.get(0).get(4)),
                node -> Math.max(1, plan.jobs(node.name()).size()));
        this.statusFile = new NodeStatusFile(plan, replayed, jobs, context.clock());
        this.stateLog = new JobstateLog(plan, replayed, jobs, context.clock());
    }

    /** Asks the process that runs the DAG of a directory, or the next one that does, to give it up. */
    public static void askToCancel(Path top) throws IOException {
        Files.writeString(top.resolve(RunFolder.NAME).resolve(CANCEL), "");
    }

    /**
     * Runs the DAG to its end, from where an earlier process was.
     *
     * @param poll interval between two polls of Slurm
     * @throws SlurmException if Slurm does not answer several times in a row; the jobs go on, and the same command with them
     */
    public Ending toTheEnd(Duration poll) throws IOException, InterruptedException {
        resume();
        int refusals = 0;
        for (long nextLook = 0; replayed.run.ending().isEmpty(); ) {
            long wait = Math.min(poll.toMillis(), nextLook - context.clock().millis());
            RunContext.ScriptEnd end = context.ends().poll(wait, TimeUnit.MILLISECONDS);
            try {
                if (end != null) {
                    end.run().scriptEnded(end);
                    continue;
                }
                nextLook = context.clock().millis() + poll.toMillis();
                if (Files.exists(plan.folder.resolve(CANCEL))) {
                    accept(CANCEL);
                    Files.delete(plan.folder.resolve(CANCEL));
                }
                step();
                refusals = 0;
            } catch (SlurmException e) {
                if (++refusals == MOST_REFUSALS) {
                    throw new SlurmException(e.getMessage() + "\nThe jobs go on; the same command goes on with them.");
                }
            }
        }
        Ending ending = replayed.run.ending().get();
        carryOut();
        if (ending.isFinished()) {
            Files.writeString(plan.top().resolve(DagProgress.FINISHED_MARK), "");
        }
        Files.deleteIfExists(plan.folder.resolve(CANCEL));
        RunnerJob.end(plan.top());
        endReports(ending);
        journal.end();
        return ending;
    }

    private void endReports(Ending ending) throws IOException {
        statusFile.update(Optional.of(ending));
        stateLog.end(ending.exit());
    }

    /** Looks at all pending actions once. */
    private void step() throws IOException {
        carryOut();
        lookForResults();
        statusFile.update(Optional.empty());
        for (var entry : List.copyOf(inner.entrySet())) {
            DagmanRun below = entry.getValue();
            below.step();
            Optional<Ending> ending = below.replayed.run.ending();
            if (ending.isPresent() && inner.containsKey(entry.getKey())) {
                below.endReports(ending.get());
                inner.remove(entry.getKey());
                accept("proc0", entry.getKey(), ending.get().exit());
                // Only now: without its journal, the inner DAG would run again after a crash.
                below.journal.end();
            }
        }
    }

    /** Restores the run, and notes that this process has begun or resumed it. */
    private void resume() throws IOException {
        restore();
        stateLog.begin(!isNew);
        if (!isNew) {
            journal.noteContinued(replayed.run.count(RunState.DONE), context.clock());
        }
    }

    private void restore() throws IOException {
        if (isNew && plan.isToHalt()) {
            journal.add("halt", ReplayedRun.AT_START);
        }
        replayed.replay(journal.entries());
    }

    private void accept(String event, RunNode node, int code) throws IOException {
        accept(event, node.name(), Integer.toString(code));
    }

    /** Makes an event durable, and acts on it. */
    private void accept(String... entry) throws IOException {
        journal.add(entry);
        stateLog.note(List.of(entry));
        replayed.accept(List.of(entry));
        carryOut();
    }

    /** Begins the actions that are pending and not under way, and those that follow from them. */
    private void carryOut() throws IOException {
        if (isCarryingOut) {
            return;
        }
        isCarryingOut = true;
        try {
            do {
                if (!replayed.isHalted && plan.isToHalt()) {
                    accept("halt");
                }
                endWhatIsOver();
            } while (beginWhatIsPending());
        } finally {
            isCarryingOut = false;
        }
    }

    /** Writes the rescue file first, then removes jobs. */
    private void endWhatIsOver() throws IOException {
        Optional<RescueState> rescue = replayed.pending.takeRescue();
        if (rescue.isPresent()) {
            write(rescue.get());
        }
        if (replayed.pending.takeEndOfScripts()) {
            scripts.endAll();
        }
        for (RunNode node : List.copyOf(replayed.pending.removals)) {
            if (node.node().kind() == NodeKind.SUBDAG) {
                removeInner(node);
            } else {
                jobs.remove(node);
            }
            replayed.pending.removals.remove(node);
        }
    }

    private boolean beginWhatIsPending() throws IOException {
        boolean anyBegun = false;
        long now = context.clock().millis();
        var limits = new SubmissionLimits(plan.settings, replayed.pending.byNode, jobs);
        for (var entry : replayed.pending.toBegin()) {
            RunNode node = entry.getKey();
            PendingAction action = entry.getValue();
            if (replayed.pending.byNode.get(node) == action
                    && (replayed.isHeldBack(node, action) || action.notBefore <= now && limits.admit(node, action))) {
                begin(node, action);
                anyBegun = true;
            }
        }
        return anyBegun;
    }

    /** Writes the rescue file of this run, or the next one if the run has none yet. */
    private void write(RescueState rescue) throws IOException {
        Path target = rescueFile().orElseGet(() -> RescueFile.next(plan.file));
        journal.add("rescue", String.valueOf(target.getFileName()));
        RescueFile.write(target, plan.file, context.clock(), plan.nodes.nodes().size(), rescue);
    }

    /** The rescue file that the run has left, if any, as its journal says. */
    public Optional<Path> rescueFile() throws IOException {
        return journal.rescueFile(plan.file);
    }

    /** The states of all nodes. */
    public Map<String, RunState> states() {
        return replayed.states();
    }

    private void begin(RunNode node, PendingAction action) throws IOException {
        if (replayed.isHeldBack(node, action) && !jobs.isSubmitted(node)) {
            accept("withheld", node, 0);
        } else if (action.during != RunState.SUBMITTED) {
            action.isUnderWay = true;
            beginScript(node, action.during);
        } else if (node.node().isNoop()) {
            accept("proc0", node, 0);
        } else if (node.node().kind() == NodeKind.SUBDAG) {
            action.isUnderWay = true;
            beginInner(node);
        } else {
            submit(node, action);
        }
    }

    private void beginScript(RunNode node, RunState during) throws IOException {
        boolean isPre = during == RunState.PRERUN;
        int attempt = node.attempt();
        stateLog.scriptBegins(node, isPre);
        scripts.start(
                node.node(),
                node.node().script(isPre).orElseThrow(),
                ScriptMacros.values(replayed, node, isPre ? Optional.empty() : Optional.of(jobs.results(node))),
                jobs.file(node, isPre ? ".pre.log" : ".post.log"),
                code -> context.ends().add(new RunContext.ScriptEnd(this, node, attempt, during, code)));
    }

    private void scriptEnded(RunContext.ScriptEnd end) throws IOException {
        PendingAction action = replayed.pending.byNode.get(end.node());
        if (action == null || action.during != end.during() || end.node().attempt() != end.attempt()) {
            return;
        }
        boolean isPre = end.during() == RunState.PRERUN;
        Optional<DagNode.Defer> defer = end.node().node().script(isPre).flatMap(DagNode.Script::defer);
        if (defer.isPresent() && defer.get().status() == end.code()) {
            action.isUnderWay = false;
            action.notBefore = context.clock().millis() + 1000L * defer.get().seconds();
        } else {
            accept(isPre ? "pre" : "post", end.node(), end.code());
        }
    }

    private void submit(RunNode node, PendingAction action) throws IOException {
        // Slurm may have taken the job before its number was in the journal.
        if (jobs.isSubmitted(node)) {
            accept("submitted", node.name(), "0", Integer.toString(action.procs()));
            return;
        }
        if (nextSubmitTime > context.clock().millis()) {
            action.notBefore = nextSubmitTime;
            return;
        }
        try {
            String number = jobs.submit(node, replayed.awaitsProvision(node), replayed.macros(node));
            nextSubmitTime = context.clock().millis() + 1000L * plan.settings.number("DAGMAN_SUBMIT_DELAY", 0);
            accept("submitted", node.name(), number, Integer.toString(action.procs()));
        } catch (SlurmException e) {
            jobs.log(node, e);
            action.failures++;
            // Meanwhile no other job is submitted, as Slurm is likely to refuse it too.
            action.notBefore = context.clock().millis() + (1000L << Math.min(10, action.failures - 1));
            nextSubmitTime = action.notBefore;
            if (action.failures >= plan.settings.number("DAGMAN_MAX_SUBMIT_ATTEMPTS", 6)) {
                accept("refused", node, 0);
            } else if (!plan.settings.isTrue("DAGMAN_RETRY_SUBMIT_FIRST", true)) {
                replayed.pending.moveToEnd(node, action);
            }
        }
    }

    /** Reads the results that procs have left. A proc without a result whose job has left the queue was removed. */
    private void lookForResults() throws IOException {
        boolean anyMissing = false;
        for (var entry : replayed.pending.withSlurm()) {
            RunNode node = entry.getKey();
            if (replayed.awaitsProvision(node) && jobs.hasProvisioned(node)) {
                accept("provisioned", node, 0);
            }
            for (int proc : entry.getValue().missing()) {
                Optional<Integer> code = jobs.result(node, proc);
                if (code.isPresent() && replayed.pending.isWithSlurm(node, entry.getValue())) {
                    accept("proc" + proc, node, code.get());
                }
                anyMissing |= code.isEmpty();
            }
        }
        if (anyMissing) {
            reportRemovedProcs(jobs.queuedNames());
        }
    }

    private void reportRemovedProcs(Set<String> queue) throws IOException {
        for (var entry : replayed.pending.withSlurm()) {
            RunNode node = entry.getKey();
            PendingAction action = entry.getValue();
            action.pollsWithoutJob = jobs.isQueued(node, queue) ? 0 : action.pollsWithoutJob + 1;
            for (int proc : action.pollsWithoutJob > MOST_POLLS_WITHOUT_JOB ? action.missing() : List.<Integer>of()) {
                if (replayed.pending.isWithSlurm(node, action)) {
                    accept("proc" + proc, node, jobs.result(node, proc).orElse(DagRun.REMOVED));
                }
            }
        }
    }

    /** Begins the DAG of a SUBDAG node. It is read only now, as the PRE script may have written it. */
    private void beginInner(RunNode node) throws IOException {
        try {
            DagmanRun below = openInner(node);
            inner.put(node, below);
            below.resume();
            below.carryOut();
        } catch (UnsupportedFeaturesException | NoSuchFileException e) {
            jobs.log(node, e);
            accept("refused", node, 0);
        }
    }

    private DagmanRun openInner(RunNode node) throws IOException, UnsupportedFeaturesException {
        return new DagmanRun(
                plan.inner(node.node(), jobs.file(node, ""), context.clock().instant()), context);
    }

    /** Gives up the DAG of a SUBDAG node, which leaves a rescue file of its own. Its FINAL does not run. */
    private void removeInner(RunNode node) throws IOException {
        DagmanRun below = inner.remove(node);
        try {
            if (below == null && jobs.isSubmitted(node)) {
                below = openInner(node);
                below.restore();
            }
        } catch (UnsupportedFeaturesException e) {
            throw new IOException(
                    "The DAG of node (" + node.name() + ") has changed since it began: " + e.getMessage(), e);
        }
        if (below != null) {
            below.giveUp();
        }
    }

    /** Removes all jobs of the run, and begins nothing more. */
    private void giveUp() throws IOException {
        journal.add(CANCEL);
        replayed.run.remove();
        replayed.pending.removeAll();
        carryOut();
        endReports(new Ending(2, DagRun.Status.REMOVED, true));
        journal.end();
    }
}
