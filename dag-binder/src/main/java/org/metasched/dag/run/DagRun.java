package org.metasched.dag.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.dag.Dag;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;

/**
 * One run of a DAG as condor_dagman runs it: told what has happened, it decides what happens next. It keeps no time and calls no
 * program; {@link Hands} do. A failed node never stops independent ones; ABORT-DAG-ON does.
 *
 * <p>Departures from condor_dagman, all on the side of sense: only nodes that have not started become FUTILE. Not thread-safe; each
 * call is {@code O(arcs of the node)} beside the queue.
 */
public final class DagRun {

    /** The value of a proc that was removed. */
    public static final int REMOVED = -1002;

    private static final int SUBMIT_FAILED = -1001;
    private static final int PRE_FAILED = -1004;

    /** What the DAG came to; the numbers are those of condor_dagman's DAG_Status. */
    public enum Status {
        OK,
        ERROR,
        NODE_FAILED,
        ABORT,
        REMOVED,
        CYCLE,
        HALTED
    }

    /** How a run ended: condor_dagman's exit code and DAG_Status, and whether a rescue file was left. */
    public record Ending(int exit, Status status, boolean hasRescue) {}

    private final RunGraph graph;
    private final RunOptions options;
    private final Set<String> doneBefore;
    private final Map<String, Integer> throttles;
    private final Hands hands;
    private final ReadyQueue queue = new ReadyQueue();
    private final Map<String, Integer> inCategory = new HashMap<>();
    private final List<RunNode> plain;
    private final @Nullable RunNode last;
    private boolean isHalted;
    private int withJobs;
    private int busy;
    private boolean isAdvancing;
    private boolean hasStarted;
    /** Set once nothing but FINAL may start. */
    private @Nullable Ending decided;

    private @Nullable Ending ending;

    /**
     * @param dag needed only if the DAG has splices
     * @param done nodes that need not run, beside those of which the DAG says so
     */
    public DagRun(DagNodes nodes, Optional<Dag> dag, Set<String> done, RunOptions options, Hands hands) {
        this.graph = new RunGraph(nodes, dag);
        this.throttles = nodes.throttles();
        this.options = options;
        this.doneBefore = Set.copyOf(done);
        this.hands = hands;
        this.plain = graph.plain();
        this.last = graph.ofKind(NodeKind.FINAL).stream().findFirst().orElse(null);
    }

    /** All nodes by name, in the order of the files. */
    public Map<String, RunNode> nodes() {
        return Collections.unmodifiableMap(graph.nodes);
    }

    /** How it ended, once it has. */
    public Optional<Ending> ending() {
        return Optional.ofNullable(ending);
    }

    /** The status as {@code $DAG_STATUS} has it at this moment. */
    public Status status() {
        return decided != null ? decided.status() : failed().isEmpty() ? Status.OK : Status.NODE_FAILED;
    }

    /** Begins: service nodes, then the provisioner alone, or every node that waits for nothing. */
    public void start() {
        for (RunNode node : plain) {
            if (node.node().isDone() || doneBefore.contains(node.name())) {
                node.state = RunState.DONE;
            }
        }
        isAdvancing = true;
        plain.stream().filter(node -> node.state == RunState.DONE).forEach(this::release);
        hasStarted = true;
        graph.ofKind(NodeKind.SERVICE).forEach(this::begin);
        List<RunNode> provisioners = graph.ofKind(NodeKind.PROVISIONER);
        if (provisioners.isEmpty()) {
            startFreeNodes();
        } else {
            begin(provisioners.get(0));
        }
        isAdvancing = false;
        advance();
    }

    /** The provisioner has its resources: the other nodes may start. */
    public void provisioned() {
        startFreeNodes();
        advance();
    }

    /** The provisioner ended before it was ready: there is nothing to run on. */
    public void notProvisioned() {
        hands.removeAll();
        ending = new Ending(1, Status.ERROR, false);
    }

    /** The user has given the DAG up: jobs are removed, and FINAL runs. */
    public void remove() {
        if (decided == null && ending == null) {
            queue.clear();
            decide(2, Status.REMOVED);
            advance();
        }
    }

    /** No node starts any more; what runs goes on. */
    public void halt() {
        if (!isHalted) {
            isHalted = true;
            queue.clear();
            advance();
        }
    }

    private void startFreeNodes() {
        for (RunNode node : plain) {
            if (node.state == RunState.NOT_READY && node.waitsFor.isEmpty() && !node.hasStarted) {
                begin(node);
            }
        }
    }

    private void begin(RunNode node) {
        if (isHalted && node != last) {
            return;
        }
        node.hasStarted = true;
        if (node.node().pre().isPresent()) {
            node.state = RunState.PRERUN;
            busy += counts(node);
            hands.pre(node);
        } else {
            ready(node, options.depthFirst());
        }
    }

    /** Service nodes run beside the others, and nothing waits for them. */
    private static int counts(RunNode node) {
        return node.node().kind() == NodeKind.SERVICE ? 0 : 1;
    }

    private void ready(RunNode node, boolean inFront) {
        node.state = RunState.READY;
        if (node.node().kind() == NodeKind.SERVICE) {
            submit(node);
        } else {
            queue.put(node, inFront);
        }
    }

    /** Submits what may be submitted, and ends the run when nothing is left to do. */
    private void advance() {
        if (!hasStarted || isAdvancing || ending != null) {
            return;
        }
        isAdvancing = true;
        while (ending == null) {
            Optional<RunNode> next = queue.takeFirst(this::mayGo);
            if (next.isPresent()) {
                submit(next.get());
            } else if (busy == 0 && queue.isEmpty()) {
                nothingLeft();
                if (busy == 0 && queue.isEmpty()) {
                    break;
                }
            } else {
                break;
            }
        }
        isAdvancing = false;
    }

    private boolean mayGo(RunNode node) {
        if (options.maxJobs() > 0 && withJobs >= options.maxJobs()) {
            return false;
        }
        String category = node.node().rules().category();
        int most = category.isEmpty() ? 0 : throttles.getOrDefault(category, 0);
        return most <= 0 || inCategory.getOrDefault(category, 0) < most;
    }

    private void submit(RunNode node) {
        node.state = RunState.SUBMITTED;
        busy += counts(node);
        withJobs += counts(node);
        inCategory.merge(node.node().rules().category(), counts(node), Integer::sum);
        hands.submit(node);
    }

    private void left(RunNode node) {
        busy -= counts(node);
        withJobs -= counts(node);
        inCategory.merge(node.node().rules().category(), -counts(node), Integer::sum);
    }

    /** A PRE script has ended; one that is put off is no news. */
    public void preEnded(RunNode node, int code) {
        if (isOver(node)) {
            return;
        }
        busy -= counts(node);
        OptionalInt skip = node.node().preSkip();
        if (code != 0 && skip.isPresent() && skip.getAsInt() == code) {
            done(node);
        } else if (node.abortsOn(code)) {
            node.state = RunState.ERROR;
            abort(node, code);
        } else if (code == 0) {
            ready(node, options.depthFirst());
        } else if (options.alwaysRunPost() && node.node().post().isPresent()) {
            post(node, PRE_FAILED);
        } else {
            attemptFailed(node, code);
        }
        advance();
    }

    /** The jobs of a node are in the queue: how many procs. */
    public void submitted(RunNode node, int procs) {
        node.submitted(procs);
    }

    /** All attempts to submit have failed. */
    public void notSubmitted(RunNode node) {
        if (isOver(node)) {
            return;
        }
        left(node);
        node.isPoisoned = true;
        if (node.node().post().isPresent()) {
            post(node, SUBMIT_FAILED);
        } else {
            failed(node, true);
        }
        advance();
    }

    /**
     * A proc has left the queue.
     *
     * @param code its exit code, a signal as its negative, or {@link #REMOVED}
     * @param isLast whether no other proc of the node is left
     */
    public void procEnded(RunNode node, int code, boolean isLast) {
        if (isOver(node)) {
            return;
        }
        boolean before = node.hasFailed();
        node.ended(code, node.tolerated(options.tolerance()));
        boolean hasPost = node.node().post().isPresent();
        if (!hasPost && code != REMOVED && node.abortsOn(node.value())) {
            left(node);
            node.state = node.hasFailed() ? RunState.ERROR : isLast ? RunState.DONE : RunState.SUBMITTED;
            abort(node, node.value());
        } else if (isLast) {
            left(node);
            if (hasPost) {
                post(node, node.value());
            } else if (node.hasFailed()) {
                attemptFailed(node, node.value());
            } else {
                done(node);
            }
        } else if (node.hasFailed() && !before && !node.waitsForAllProcs()) {
            hands.removeRest(node);
        }
        advance();
    }

    private void post(RunNode node, int returned) {
        node.state = RunState.POSTRUN;
        node.returning(returned);
        busy += counts(node);
        hands.post(node);
    }

    /** A POST script has ended; one that is put off is no news. */
    public void postEnded(RunNode node, int code) {
        if (isOver(node)) {
            return;
        }
        busy -= counts(node);
        if (node.abortsOn(code)) {
            node.state = code == 0 ? RunState.DONE : RunState.ERROR;
            abort(node, code);
        } else if (code == 0) {
            done(node);
        } else {
            attemptFailed(node, code);
        }
        advance();
    }

    /** News of what was removed changes nothing any more. */
    private boolean isOver(RunNode node) {
        return ending != null || decided != null && node != last;
    }

    private void done(RunNode node) {
        node.state = RunState.DONE;
        if (node.isPlain()) {
            release(node);
        }
    }

    private void release(RunNode node) {
        node.children.keySet().forEach(child -> satisfied(child, node));
    }

    private void satisfied(RunNode child, RunNode parent) {
        child.waitsFor.remove(parent);
        // Before the start, children of nodes that were done are only told: all free nodes start in the order of the
        // files.
        if (hasStarted && child.waitsFor.isEmpty() && child.state == RunState.NOT_READY && !child.hasStarted) {
            begin(child);
        }
    }

    private void attemptFailed(RunNode node, int value) {
        int retries =
                node.node().kind() == NodeKind.FINAL ? 0 : node.node().retry().times();
        OptionalInt unless = node.node().retry().unlessExit();
        boolean isMore =
                node.attempt < retries && !node.isPoisoned && node.node().kind() != NodeKind.SERVICE;
        if (!isMore) {
            failed(node, true);
        } else if (unless.isPresent() && unless.getAsInt() != 0 && unless.getAsInt() == value) {
            failed(node, false);
        } else {
            node.attempt++;
            if (node.node().pre().isPresent()) {
                begin(node);
            } else {
                ready(node, options.depthFirst() || options.retryNodeFirst());
            }
        }
    }

    /** @param tells whether its descendants are told; not after UNLESS-EXIT */
    private void failed(RunNode node, boolean tells) {
        node.state = RunState.ERROR;
        if (!tells || !node.isPlain()) {
            return;
        }
        node.children.forEach((child, isWeak) -> {
            if (isWeak) {
                satisfied(child, node);
            } else {
                futile(child);
            }
        });
    }

    static void tellFutile(RunNode failed) {
        failed.children.forEach((child, isWeak) -> {
            if (!isWeak) {
                futile(child);
            }
        });
    }

    private static void futile(RunNode node) {
        if (node.state == RunState.NOT_READY && !node.hasStarted) {
            node.state = RunState.FUTILE;
            node.children.keySet().forEach(DagRun::futile);
        }
    }

    private void abort(RunNode node, int value) {
        if (node == last) {
            return;
        }
        OptionalInt wanted = node.node().rules().abortReturn();
        int exit = wanted.orElse(value) & 255;
        queue.clear();
        decide(exit, exit == 0 ? Status.OK : Status.ABORT);
    }

    private List<RunNode> failed() {
        return plain.stream().filter(node -> node.state == RunState.ERROR).toList();
    }

    private void nothingLeft() {
        if (decided != null) {
            endWithLast(decided);
        } else if (isHalted) {
            decide(1, Status.HALTED);
        } else if (!failed().isEmpty()) {
            decide(1, Status.NODE_FAILED);
        } else if (plain.stream().allMatch(node -> node.state == RunState.DONE)) {
            decide(0, Status.OK);
        } else {
            decide(1, Status.CYCLE);
        }
    }

    /** The end of all but FINAL: the rescue file comes first, then jobs are removed, then FINAL starts. */
    private void decide(int exit, Status status) {
        decided = new Ending(exit, status, exit != 0);
        if (exit != 0) {
            hands.rescue(rescue());
        }
        hands.removeAll();
        busy = 0;
        withJobs = 0;
        inCategory.clear();
        if (last == null) {
            ending = decided;
        } else {
            begin(last);
        }
    }

    private void endWithLast(Ending before) {
        boolean isGood = last != null && last.state == RunState.DONE;
        if (!isGood) {
            hands.rescue(rescue());
        }
        Status status = isGood || before.status() != Status.OK ? before.status() : Status.NODE_FAILED;
        ending = new Ending(isGood ? 0 : 1, status, before.hasRescue() || !isGood);
    }

    private Rescue rescue() {
        List<String> done = new ArrayList<>();
        Map<String, Integer> retries = new LinkedHashMap<>();
        for (RunNode node : plain) {
            if (node.isDoneForRescue()) {
                done.add(node.name());
            }
            DagNode.Retry retry = node.node().retry();
            if (!options.resetRetries() && retry.times() > 0) {
                retries.put(node.name(), node.isPoisoned ? 0 : retry.times() - node.attempt);
            }
        }
        return new Rescue(done, failed().stream().map(RunNode::name).toList(), retries);
    }
}
