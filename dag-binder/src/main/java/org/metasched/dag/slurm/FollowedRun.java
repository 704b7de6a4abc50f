package org.metasched.dag.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.metasched.dag.DagNode;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.Hands;
import org.metasched.dag.run.Rescue;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/**
 * Runs a bound DAG node by node: a job array of Slurm for the jobs of each node, its scripts here. Everything the run is told is in
 * a journal before it is acted on. A process that is killed anywhere leaves a run that the same command goes on with: a job that
 * Slurm took without a word in the journal is found by its name, and no proc runs twice in one attempt. Not thread-safe.
 */
public final class FollowedRun implements Hands {

    private static final int MOST_SUBMITS = 6;
    private static final int MOST_REFUSALS = 5;
    private static final String RESULTS = "results";

    private final FollowedPlan plan;
    private final SlurmClient client;
    private final SlurmCommands commands;
    private final Optional<String> reservation;
    private final Clock clock;
    private final Path folder;
    private final RunFolder books;
    private final RunJournal journal;
    private final ScriptRuns scripts;
    private final DagRun run;
    /** What the scripts that run here have come to. */
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    /** Nodes with something to be done or waited for. */
    private final Map<RunNode, Owed> owed = new LinkedHashMap<>();

    private final Set<String> toRemove = new HashSet<>();
    private boolean isReplaying;
    private boolean isContinued;
    /** Nodes that an earlier process may have submitted without a word. */
    private final Set<RunNode> uncertain = new HashSet<>();

    private String id = "";
    private Optional<Path> rescueFile = Optional.empty();
    private Optional<Rescue> unwritten = Optional.empty();

    private record Event(RunNode node, int attempt, RunState during, int code) {}

    /** What a node waits for: its script, or the procs of its jobs. */
    private static final class Owed {
        private final RunState during;
        private final boolean[] ended;
        private boolean isUnderWay;
        private int submits;
        private int misses;
        private long notBefore;

        private Owed(RunState during, int procs) {
            this.during = during;
            this.ended = new boolean[procs];
        }
    }

    /** @param reservation in whose nodes and hours the jobs run */
    public FollowedRun(
            FollowedPlan plan,
            SlurmClient client,
            SlurmCommands commands,
            Optional<String> reservation,
            RunOptions options,
            Clock clock)
            throws IOException {
        this.plan = plan;
        this.client = client;
        this.commands = commands;
        this.reservation = reservation;
        this.clock = clock;
        this.folder = plan.top().resolve(RunFolder.NAME);
        this.books = new RunFolder(plan.top());
        Files.createDirectories(folder.resolve(RESULTS));
        this.journal = new RunJournal(folder);
        this.scripts = new ScriptRuns(plan.top(), plan.environment());
        this.run = new DagRun(plan.nodes(), Optional.of(plan.dag()), done(), options, this);
    }

    /** The nodes that were done when the run began: a rescue file that it wrote itself does not count. */
    private Set<String> done() throws IOException {
        List<List<String>> entries = journal.entries();
        if (entries.isEmpty()) {
            id = UUID.randomUUID().toString().substring(0, 8);
            Optional<Path> newest = RescueFile.newest(plan.file());
            journal.add(
                    "begin",
                    id,
                    newest.map(Path::getFileName).map(Path::toString).orElse("-"));
            return newest.isPresent() ? RescueFile.doneNodes(newest.get()) : Set.of();
        }
        isContinued = true;
        List<String> begin = entries.get(0);
        id = begin.get(1);
        return begin.get(2).equals("-")
                ? Set.of()
                : RescueFile.doneNodes(plan.file().resolveSibling(begin.get(2)));
    }

    /** The states of all nodes, as far as the journal goes or the run has come. */
    public Map<String, RunState> states() {
        var states = new LinkedHashMap<String, RunState>();
        run.nodes().forEach((name, node) -> states.put(name, node.state()));
        return states;
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
            Event event = events.poll(poll.toMillis(), TimeUnit.MILLISECONDS);
            if (event != null) {
                scriptEnded(event);
                continue;
            }
            try {
                begin();
                look();
                refusals = 0;
            } catch (SlurmException e) {
                if (++refusals == MOST_REFUSALS) {
                    throw new SlurmException(e.getMessage() + "\nThe jobs go on; the same command goes on with them.");
                }
            }
        }
        return ended(run.ending().get());
    }

    private Ending ended(Ending ending) throws IOException {
        removeJobs();
        if (ending.exit() == 0) {
            Files.writeString(SlurmRun.mark(plan.top()), "");
        }
        journal.end();
        return ending;
    }

    private void replay() throws IOException {
        List<List<String>> entries = journal.entries();
        isReplaying = true;
        for (List<String> entry : entries) {
            if (entry.get(0).equals("rescue")) {
                rescueFile = Optional.of(plan.file().resolveSibling(entry.get(1)));
            }
        }
        run.start();
        for (List<String> entry : entries) {
            RunNode node = entry.size() < 3 ? null : run.nodes().get(entry.get(1));
            if (node != null) {
                tell(entry.get(0), node, Integer.parseInt(entry.get(2)));
            }
        }
        isReplaying = false;
        if (isContinued) {
            uncertain.addAll(owed.keySet());
        }
        if (unwritten.isPresent()) {
            rescue(unwritten.get());
        }
        removeJobs();
        begin();
    }

    /** Tells the run one entry. */
    private void tell(String what, RunNode node, int code) {
        Owed waits = owed.get(node);
        if (waits == null) {
            return;
        }
        switch (what) {
            case "pre" -> {
                owed.remove(node);
                run.preEnded(node, code);
            }
            case "post" -> {
                owed.remove(node);
                run.postEnded(node, code);
            }
            case "refused" -> {
                owed.remove(node);
                run.notSubmitted(node);
            }
            case "submitted" -> waits.isUnderWay = true;
            default -> {
                int proc = Integer.parseInt(what.substring("proc".length()));
                if (!waits.ended[proc]) {
                    waits.ended[proc] = true;
                    boolean isLast = missing(waits).isEmpty();
                    if (isLast) {
                        owed.remove(node);
                    }
                    run.procEnded(node, code, isLast);
                }
            }
        }
    }

    private void happened(String what, RunNode node, int code) throws IOException {
        journal.add(what, node.name(), Integer.toString(code));
        tell(what, node, code);
        begin();
    }

    private static List<Integer> missing(Owed waits) {
        List<Integer> missing = new ArrayList<>();
        for (int proc = 0; proc < waits.ended.length; proc++) {
            if (!waits.ended[proc]) {
                missing.add(proc);
            }
        }
        return missing;
    }

    @Override
    public void pre(RunNode node) {
        owed.put(node, new Owed(RunState.PRERUN, 0));
    }

    @Override
    public void post(RunNode node) {
        owed.put(node, new Owed(RunState.POSTRUN, 0));
    }

    @Override
    public void submit(RunNode node) {
        int procs = Math.max(1, plan.jobs(node.name()).size());
        owed.put(node, new Owed(RunState.SUBMITTED, procs));
        run.submitted(node, procs);
    }

    @Override
    public void removeRest(RunNode node) {
        toRemove.add(jobName(node));
    }

    @Override
    public void removeAll() {
        owed.forEach((node, waits) -> {
            if (waits.during == RunState.SUBMITTED) {
                toRemove.add(jobName(node));
            }
        });
        owed.clear();
        events.clear();
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
                    target, plan.file(), clock, plan.nodes().all().size(), rescue.done(), rescue.failed()));
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
            if (waits.isUnderWay || owed.get(node) != waits || waits.notBefore > clock.millis()) {
                continue;
            }
            if (waits.during != RunState.SUBMITTED) {
                waits.isUnderWay = true;
                script(node, waits.during);
            } else if (node.node().isNoop()) {
                happened("proc0", node, 0);
            } else {
                submit(node, waits);
            }
        }
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
                code -> events.add(new Event(node, attempt, during, code)));
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
            waits.notBefore = clock.millis() + 1000L * defer.get().seconds();
        } else {
            happened(isPre ? "pre" : "post", event.node(), event.code());
        }
    }

    private void submit(RunNode node, Owed waits) throws IOException {
        // Slurm may have taken the job before its number was in the journal.
        boolean mayBeThere = uncertain.remove(node) || waits.submits > 0;
        if (mayBeThere && (hasBegun(node) || queue().contains(jobName(node)))) {
            waits.isUnderWay = true;
            journal.add("submitted", node.name(), "0");
            return;
        }
        try {
            String number = sbatch(node);
            books.submitted(number, key(node));
            journal.add("submitted", node.name(), number);
            waits.isUnderWay = true;
        } catch (SlurmException e) {
            waits.submits++;
            waits.notBefore = clock.millis() + (1000L << Math.min(10, waits.submits - 1));
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
        Path script = books.script(
                key(node), FollowedScript.text(folder.resolve(RESULTS), key(node), plan.jobs(node.name())));
        List<String> words = commands.submission();
        words.add("--job-name=" + jobName(node));
        words.add("--chdir=" + plan.top());
        words.add("--output=" + RunFolder.NAME + "/" + key(node) + ".log");
        words.add("--open-mode=append");
        words.add("--no-requeue");
        words.addAll(plan.options(node.name()));
        reservation.ifPresent(window -> words.add("--reservation=" + window));
        if (procs > 1) {
            words.add("--array=0-" + (procs - 1));
        }
        words.add(script.toString());
        String answer = client.run(words).strip();
        String number = answer.split(";", 2)[0];
        if (!number.matches("\\d{1,9}")) {
            throw new SlurmException(
                    "The answer of sbatch (" + answer + ") to node (" + node.name() + ") must be a job's number.");
        }
        return number;
    }

    private Set<String> queue() throws SlurmException {
        Set<String> names = new HashSet<>();
        client.run(commands.program("squeue", "--noheader", "--format=%j"))
                .lines()
                .map(String::strip)
                .forEach(names::add);
        return names;
    }

    /** Reads the results that procs have left; procs without one whose jobs are in the queue no longer were removed. */
    private void look() throws IOException {
        boolean anyMissing = false;
        for (var entry : new ArrayList<>(owed.entrySet())) {
            if (entry.getValue().during == RunState.SUBMITTED && entry.getValue().isUnderWay) {
                for (int proc : missing(entry.getValue())) {
                    Optional<Integer> code = result(entry.getKey(), proc);
                    if (code.isPresent() && owed.get(entry.getKey()) == entry.getValue()) {
                        happened("proc" + proc, entry.getKey(), code.get());
                    }
                    anyMissing |= code.isEmpty();
                }
            }
        }
        if (anyMissing) {
            lookForLost(queue());
        }
    }

    private void lookForLost(Set<String> queue) throws IOException {
        for (var entry : new ArrayList<>(owed.entrySet())) {
            Owed waits = entry.getValue();
            if (waits.during != RunState.SUBMITTED || !waits.isUnderWay || owed.get(entry.getKey()) != waits) {
                continue;
            }
            // Results come over a network file system, so they are given two looks more than the queue.
            waits.misses = queue.contains(jobName(entry.getKey())) ? 0 : waits.misses + 1;
            if (waits.misses > 2) {
                for (int proc : missing(waits)) {
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
        if (!isReplaying && !toRemove.isEmpty()) {
            for (String name : List.copyOf(toRemove)) {
                client.run(commands.program("scancel", "--name=" + name));
                toRemove.remove(name);
            }
        }
    }
}
