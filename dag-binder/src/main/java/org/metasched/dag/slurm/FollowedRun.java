package org.metasched.dag.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.metasched.dag.DagNode;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.Rescue;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/**
 * Runs a bound DAG node by node: a job array of Slurm for the jobs of each node, its scripts here. Everything the run is told is in
 * a journal before it is acted on. A process that is killed anywhere leaves a run that the same command goes on with: a job that
 * Slurm took without a word in the journal is found by its name, and no proc runs twice in one attempt. Not thread-safe.
 */
public final class FollowedRun extends ToldRun {

    private static final int MOST_SUBMITS = 6;
    private static final int MOST_REFUSALS = 5;
    private static final String RESULTS = "results";
    private static final String CANCEL = "cancel";

    private final FollowedPlan plan;
    private final Surroundings around;
    private final Path folder;
    private final RunJournal journal;
    private final ScriptRuns scripts;
    private final Map<RunNode, FollowedRun> inner = new LinkedHashMap<>();
    private final Set<RunNode> toRemove = new LinkedHashSet<>();
    private boolean isReplaying;
    private boolean isHalted;
    /** Nodes that an earlier process may have submitted without a word. */
    private final Set<RunNode> uncertain = new HashSet<>();

    private final String id;
    private Optional<Path> rescueFile = Optional.empty();
    private Optional<Rescue> unwritten = Optional.empty();

    private record Event(FollowedRun run, RunNode node, int attempt, RunState during, int code) {}

    /** What a run shares with the runs of its SUBDAG nodes; the events are what the scripts that run here have come to. */
    private record Surroundings(
            SlurmClient client,
            SlurmCommands commands,
            Optional<String> reservation,
            RunOptions options,
            Clock clock,
            RunFolder books,
            BlockingQueue<Event> events) {}

    /** @param reservation in whose nodes and hours the jobs run */
    public FollowedRun(
            FollowedPlan plan,
            SlurmClient client,
            SlurmCommands commands,
            Optional<String> reservation,
            RunOptions options,
            Clock clock)
            throws IOException {
        this(
                plan,
                new Surroundings(
                        client,
                        commands,
                        reservation,
                        options,
                        clock,
                        new RunFolder(plan.top()),
                        new LinkedBlockingQueue<>()));
    }

    private FollowedRun(FollowedPlan plan, Surroundings around) throws IOException {
        this(plan, around, new RunJournal(plan.folder()).begun(plan.file(), around.clock(), around.options()));
    }

    private FollowedRun(FollowedPlan plan, Surroundings around, List<List<String>> entries) throws IOException {
        super(plan.nodes(), plan.dag(), doneBefore(entries, plan.file()), around.options());
        this.plan = plan;
        this.around = around;
        this.folder = plan.folder();
        Files.createDirectories(folder.resolve(RESULTS));
        this.journal = new RunJournal(folder);
        this.scripts = new ScriptRuns(plan.top(), plan.environment());
        this.id = entries.get(0).get(1);
    }

    /** Asks the process that follows the DAG of a directory, or the next one that does, to give it up. */
    public static void askToCancel(Path top) throws IOException {
        Files.writeString(top.resolve(RunFolder.NAME).resolve(CANCEL), "");
    }

    /**
     * Runs the DAG to its end, from where an earlier process was.
     *
     * @param poll between two looks at Slurm
     * @throws SlurmException if Slurm does not answer several times in a row; the jobs go on, and the same command with them
     */
    public Ending toTheEnd(Duration poll) throws IOException, InterruptedException {
        replay();
        int refusals = 0;
        while (run.ending().isEmpty()) {
            Event event = around.events().poll(poll.toMillis(), TimeUnit.MILLISECONDS);
            if (event != null) {
                event.run().scriptEnded(event);
                continue;
            }
            try {
                cancelIfAsked();
                step();
                refusals = 0;
            } catch (SlurmException e) {
                if (++refusals == MOST_REFUSALS) {
                    throw new SlurmException(e.getMessage() + "\nThe jobs go on; the same command goes on with them.");
                }
            }
        }
        Ending ending = run.ending().get();
        removeJobs();
        if (ending.exit() == 0) {
            Files.writeString(SlurmRun.mark(plan.top()), "");
        }
        ended();
        return ending;
    }

    private void cancelIfAsked() throws IOException {
        Path asked = folder.resolve(CANCEL);
        if (Files.exists(asked)) {
            cancel();
            Files.delete(asked);
        }
    }

    private void cancel() throws IOException {
        journal.add("cancel");
        run.remove();
    }

    /** One look at all that is owed. */
    private void step() throws IOException {
        haltIfAsked();
        begin();
        look();
        for (var entry : List.copyOf(inner.entrySet())) {
            FollowedRun below = entry.getValue();
            if (below.run.ending().isEmpty()) {
                below.step();
            }
            if (below.run.ending().isPresent() && inner.remove(entry.getKey()) != null) {
                below.ended();
                happened("proc0", entry.getKey(), below.run.ending().get().exit());
            }
        }
    }

    private void ended() throws IOException {
        removeJobs();
        journal.end();
    }

    /** Whether a file beside the DAG says so, as condor's does. It holds for this DAG only, not for those within. */
    private boolean isToHalt() {
        return Files.exists(plan.file().resolveSibling(plan.file().getFileName() + ".halt"));
    }

    private void haltIfAsked() throws IOException {
        if (!isHalted && isToHalt()) {
            isHalted = true;
            journal.add("halt");
            run.halt();
        }
    }

    private void replay() throws IOException {
        if (journal.entries().size() == 1 && isToHalt()) {
            // Before the first submission.
            journal.add("halt");
        }
        List<List<String>> entries = journal.entries();
        isHalted = entries.stream().anyMatch(entry -> entry.get(0).equals("halt"));
        isReplaying = true;
        for (List<String> entry : entries) {
            if (entry.get(0).equals("rescue")) {
                rescueFile = Optional.of(plan.file().resolveSibling(entry.get(1)));
            }
        }
        replay(entries);
        isReplaying = false;
        if (entries.size() > 1) {
            uncertain.addAll(owed.keySet());
            long done = states().values().stream()
                    .filter(state -> state == RunState.DONE)
                    .count();
            journal.continues(done, around.clock());
        }
        if (unwritten.isPresent()) {
            rescue(unwritten.get());
        }
        removeJobs();
        begin();
    }

    private void happened(String what, RunNode node, int code) throws IOException {
        journal.add(what, node.name(), Integer.toString(code));
        tell(what, node, code);
        begin();
    }

    @Override
    int procs(RunNode node) {
        return Math.max(1, plan.jobs(node.name()).size());
    }

    @Override
    public void removeRest(RunNode node) {
        toRemove.add(node);
    }

    @Override
    public void removeAll() {
        owed.forEach((node, waits) -> {
            if (waits.during == RunState.SUBMITTED) {
                toRemove.add(node);
            }
        });
        super.removeAll();
        around.events().removeIf(event -> event.run() == this);
        scripts.endAll();
    }

    @Override
    public void rescue(Rescue rescue) {
        if (isReplaying) {
            unwritten = Optional.of(rescue);
            return;
        }
        try {
            Path target = rescueFile.isPresent() ? rescueFile.get() : RescueFile.next(plan.file());
            journal.add("rescue", String.valueOf(target.getFileName()));
            rescueFile = Optional.of(RescueFile.write(
                    target, plan.file(), around.clock(), plan.nodes().all().size(), rescue.done(), rescue.failed()));
        } catch (IOException e) {
            throw new UncheckedIOException("The rescue file of (" + plan.file() + ") cannot be written.", e);
        }
    }

    /** The rescue file that this run has left, if any. */
    public Optional<Path> rescueFile() {
        return rescueFile;
    }

    private String key(RunNode node) {
        return plan.key(node.name()) + "." + id + "." + node.attempt();
    }

    private String jobName(RunNode node) {
        return "metasched-" + key(node);
    }

    /** Does what is owed and not under way. */
    private void begin() throws IOException {
        removeJobs();
        for (var entry : new ArrayList<>(owed.entrySet())) {
            RunNode node = entry.getKey();
            Owed waits = entry.getValue();
            if (waits.isUnderWay
                    || owed.get(node) != waits
                    || waits.notBefore > around.clock().millis()) {
                continue;
            }
            if (waits.during != RunState.SUBMITTED) {
                waits.isUnderWay = true;
                script(node, waits.during);
            } else if (node.node().isNoop()) {
                happened("proc0", node, 0);
            } else if (node.node().kind() == NodeKind.SUBDAG) {
                waits.isUnderWay = true;
                beginInner(node);
            } else {
                submit(node, waits);
            }
        }
    }

    /** A DAG within the DAG is read when its node starts: its PRE script may have written it. */
    private void beginInner(RunNode node) throws IOException {
        try {
            var below = new FollowedRun(innerPlan(node), around);
            inner.put(node, below);
            below.replay();
        } catch (UnsupportedBySlurmException | NoSuchFileException e) {
            Files.writeString(
                    folder.resolve(key(node) + ".log"), e + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            happened("refused", node, 0);
        }
    }

    private FollowedPlan innerPlan(RunNode node) throws IOException, UnsupportedBySlurmException {
        return plan.inner(node.node(), folder.resolve(key(node)), around.clock().instant());
    }

    private void script(RunNode node, RunState during) {
        Optional<DagNode.Script> script =
                during == RunState.PRERUN ? node.node().pre() : node.node().post();
        int attempt = node.attempt();
        scripts.start(
                node.node(),
                script.orElseThrow(),
                macros(node),
                folder.resolve(key(node) + (during == RunState.PRERUN ? ".pre.log" : ".post.log")),
                code -> around.events().add(new Event(this, node, attempt, during, code)));
    }

    private Map<String, String> macros(RunNode node) {
        long failed = run.nodes().values().stream()
                .filter(other -> other.state() == RunState.ERROR)
                .count();
        return Map.ofEntries(
                Map.entry("$NODE", node.name()),
                Map.entry("$JOB", node.name()),
                Map.entry("$RETRY", Integer.toString(node.attempt())),
                Map.entry("$MAX_RETRIES", Integer.toString(node.node().retry().times())),
                Map.entry("$RETURN", Integer.toString(node.returned())),
                Map.entry("$SUCCESS", node.returned() == 0 ? "True" : "False"),
                Map.entry("$FAILED_COUNT", Long.toString(failed)),
                Map.entry("$DAG_STATUS", Integer.toString(run.status().ordinal())),
                Map.entry("$NODE_COUNT", Integer.toString(run.nodes().size())),
                Map.entry("$JOB_COUNT", Integer.toString(plan.jobs(node.name()).size())));
    }

    private void scriptEnded(Event event) throws IOException {
        Owed waits = owed.get(event.node());
        if (waits == null || waits.during != event.during() || event.node().attempt() != event.attempt()) {
            return;
        }
        boolean isPre = event.during() == RunState.PRERUN;
        Optional<DagNode.Defer> defer = isPre
                ? event.node().node().rules().preDefer()
                : event.node().node().rules().postDefer();
        if (defer.isPresent() && defer.get().status() == event.code()) {
            waits.isUnderWay = false;
            waits.notBefore = around.clock().millis() + 1000L * defer.get().seconds();
        } else {
            happened(isPre ? "pre" : "post", event.node(), event.code());
        }
    }

    private void submit(RunNode node, Owed waits) throws IOException {
        // Slurm may have taken the job before its number was in the journal.
        boolean mayBeThere = uncertain.remove(node)
                || waits.submits > 0
                || Files.exists(around.books().script(key(node)));
        if (mayBeThere && (hasBegun(node) || queue().contains(jobName(node)))) {
            waits.isUnderWay = true;
            journal.add("submitted", node.name(), "0", Integer.toString(waits.ended.length));
            return;
        }
        try {
            String number = sbatch(node);
            around.books().submitted(number, key(node));
            journal.add("submitted", node.name(), number, Integer.toString(waits.ended.length));
            waits.isUnderWay = true;
        } catch (SlurmException e) {
            waits.submits++;
            waits.notBefore = around.clock().millis() + (1000L << Math.min(10, waits.submits - 1));
            if (waits.submits >= MOST_SUBMITS) {
                happened("refused", node, 0);
            }
        }
    }

    private boolean hasBegun(RunNode node) {
        for (int proc = 0; proc < plan.jobs(node.name()).size(); proc++) {
            if (Files.exists(folder.resolve(RESULTS).resolve(key(node) + "." + proc + ".began"))) {
                return true;
            }
        }
        return false;
    }

    private String sbatch(RunNode node) throws IOException {
        int procs = plan.jobs(node.name()).size();
        boolean provisions = awaitsProvision(node);
        Path script = around.books()
                .script(
                        key(node),
                        FollowedScript.text(folder.resolve(RESULTS), key(node), plan.jobs(node.name()), provisions));
        List<String> words = around.commands().submission();
        words.add("--job-name=" + jobName(node));
        words.add("--chdir=" + plan.top());
        words.add("--output=" + RunFolder.NAME + "/" + key(node) + ".log");
        words.add("--open-mode=append");
        words.add("--no-requeue");
        words.addAll(plan.options(node.name()));
        around.reservation().ifPresent(window -> words.add("--reservation=" + window));
        if (procs > 1) {
            words.add("--array=0-" + (procs - 1));
        }
        words.add(script.toString());
        String answer = around.client().run(words).strip();
        String number = answer.split(";", 2)[0];
        if (!number.matches("\\d{1,9}")) {
            throw new SlurmException(
                    "The answer of sbatch (" + answer + ") to node (" + node.name() + ") must be a job's number.");
        }
        return number;
    }

    private Set<String> queue() throws SlurmException {
        Set<String> names = new HashSet<>();
        around.client()
                .run(around.commands().program("squeue", "--noheader", "--format=%j"))
                .lines()
                .map(String::strip)
                .forEach(names::add);
        return names;
    }

    /** Reads the results that procs have left; procs without one whose jobs are in the queue no longer were removed. */
    private void look() throws IOException {
        boolean anyMissing = false;
        for (var entry : new ArrayList<>(owed.entrySet())) {
            RunNode node = entry.getKey();
            if (!isWithSlurm(node, entry.getValue())) {
                continue;
            }
            if (awaitsProvision(node) && Files.exists(folder.resolve(RESULTS).resolve(key(node) + ".provisioned"))) {
                happened("provisioned", node, 0);
            }
            for (int proc : entry.getValue().missing()) {
                Optional<Integer> code = result(node, proc);
                if (code.isPresent() && owed.get(node) == entry.getValue()) {
                    happened("proc" + proc, node, code.get());
                }
                anyMissing |= code.isEmpty();
            }
        }
        if (anyMissing) {
            lookForLost(queue());
        }
    }

    private boolean isWithSlurm(RunNode node, Owed waits) {
        return waits.during == RunState.SUBMITTED
                && waits.isUnderWay
                && node.node().kind() != NodeKind.SUBDAG
                && owed.get(node) == waits;
    }

    private void lookForLost(Set<String> queue) throws IOException {
        for (var entry : new ArrayList<>(owed.entrySet())) {
            Owed waits = entry.getValue();
            if (!isWithSlurm(entry.getKey(), waits)) {
                continue;
            }
            // Results come over a network file system, so they are given two looks more than the queue.
            waits.misses = queue.contains(jobName(entry.getKey())) ? 0 : waits.misses + 1;
            if (waits.misses > 2) {
                for (int proc : waits.missing()) {
                    if (owed.get(entry.getKey()) == waits) {
                        int code = result(entry.getKey(), proc).orElse(DagRun.REMOVED);
                        happened("proc" + proc, entry.getKey(), code);
                    }
                }
            }
        }
    }

    private Optional<Integer> result(RunNode node, int proc) throws IOException {
        Path file = folder.resolve(RESULTS).resolve(key(node) + "." + proc);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (!text.matches("\\d{1,3}")) {
            throw new IOException("The result (" + file + ") of node " + node.name() + " is no exit code: " + text);
        }
        int code = Integer.parseInt(text);
        return Optional.of(code > 128 && code <= 192 ? 128 - code : code);
    }

    /** Removing a job that is gone is no error, so this may be repeated. */
    private void removeJobs() throws IOException {
        if (isReplaying) {
            return;
        }
        for (RunNode node : List.copyOf(toRemove)) {
            if (node.node().kind() == NodeKind.SUBDAG) {
                removeInner(node);
            } else {
                around.client().run(around.commands().program("scancel", "--name=" + jobName(node)));
            }
            toRemove.remove(node);
        }
    }

    /** The DAG within leaves its own rescue file; its FINAL does not run. */
    private void removeInner(RunNode node) throws IOException {
        FollowedRun below = inner.remove(node);
        var earlier = new RunJournal(folder.resolve(key(node)));
        if (below != null) {
            below.cancel();
        } else if (!earlier.entries().isEmpty()) {
            earlier.add("cancel");
            try {
                below = new FollowedRun(innerPlan(node), around);
                below.replay();
            } catch (UnsupportedBySlurmException e) {
                throw new IOException(
                        "The DAG of node (" + node.name() + ") has changed since it began: " + e.getMessage(), e);
            }
        }
        if (below != null) {
            below.removeAll();
            below.ended();
        }
    }
}
