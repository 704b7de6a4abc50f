package org.metasched.dag.run;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;

/**
 * One run of a DAG as condor_dagman runs it. The caller reports each event; the run decides the next steps. It looks at no clock and calls
 * no program: a {@link RunExecutor} carries out the steps. A failed node never stops independent ones; ABORT-DAG-ON does.
 *
 * <p>Unlike condor_dagman, it makes only nodes that have not started FUTILE. An event costs {@code O(arcs of the node)} beside the queue;
 * the end of the run costs {@code O(nodes)}, and so does {@link #status} once a node has failed. Not thread-safe.
 */
public final class DagRun {

    /** The exit code reported for a proc that was removed. */
    public static final int REMOVED = -1002;

    static final int SUBMIT_FAILED = -1001;
    static final int PRE_FAILED = -1004;

    /** Status of the DAG; the numbers are those of condor_dagman's DAG_Status. */
    public enum Status {
        OK,
        ERROR,
        NODE_FAILED,
        ABORT,
        REMOVED,
        CYCLE,
        HALTED
    }

    /** End of a run: condor_dagman's exit code and DAG_Status, and whether a rescue file was left. */
    public record Ending(int exit, Status status, boolean hasRescue) {
        /** Whether the DAG need not run again, as it must if it was removed or halted, though FINAL has succeeded. */
        public boolean isFinished() {
            return exit == 0 && status != Status.REMOVED && status != Status.HALTED;
        }
    }

    private final RunGraph graph;
    private final RunOptions options;
    private final JobThrottles throttles;
    private final RunExecutor executor;
    private final ReadyQueue queue = new ReadyQueue();
    private final @Nullable RunNode finalNode;
    private boolean isHalted;
    /** Nodes with a script or jobs under way; SERVICE nodes do not count. */
    private int busy;

    /** False before the start, and while {@link #advance} runs: an event that the executor reports meanwhile does not call it again. */
    private boolean mayAdvance;
    /** The end of the run but for FINAL; set once nothing but FINAL may start. */
    private @Nullable Ending decided;

    private @Nullable Ending ending;

    /** @param done names of nodes that need not run, beside those marked DONE */
    public DagRun(DagNodes nodes, Set<String> done, RunOptions options, RunExecutor executor) {
        this.graph = new RunGraph(nodes);
        this.throttles = new JobThrottles(options.maxJobs(), nodes.throttles());
        this.options = options;
        this.executor = executor;
        this.finalNode = graph.ofKind(NodeKind.FINAL).stream().findFirst().orElse(null);
        graph.premarkDone(done);
    }

    /** All nodes by name, in the order of the files. */
    public Map<String, RunNode> nodes() {
        return Collections.unmodifiableMap(graph.nodes);
    }

    /** The number of nodes in a state. */
    public int count(RunState state) {
        return graph.count(state);
    }

    /** The end of the run, once it has ended. */
    public Optional<Ending> ending() {
        return Optional.ofNullable(ending);
    }

    /** The status as {@code $DAG_STATUS} has it at this moment. */
    public Status status() {
        return decided != null ? decided.status() : graph.failed().isEmpty() ? Status.OK : Status.NODE_FAILED;
    }

    /** Begins: service nodes, then the provisioner alone, or every node that waits for nothing. */
    public void start() {
        graph.ofKind(NodeKind.SERVICE).forEach(this::begin);
        List<RunNode> provisioners = graph.ofKind(NodeKind.PROVISIONER);
        if (provisioners.isEmpty()) {
            startFreeNodes();
        } else {
            begin(provisioners.get(0));
        }
        mayAdvance = true;
        advance();
    }

    /** Reports that the provisioner has its resources: the other nodes may start. */
    public void provisioned() {
        startFreeNodes();
        advance();
    }

    /** Reports that the provisioner ended before it had its resources, which ends the run. */
    public void notProvisioned() {
        executor.removeAll();
        ending = new Ending(1, Status.ERROR, false);
    }

    /** Gives the DAG up at the user's request: jobs are removed, and FINAL runs. */
    public void remove() {
        if (decided == null && ending == null) {
            decide(2, Status.REMOVED);
            advance();
        }
    }

    /** Starts no further node and no further attempt; jobs and scripts that run continue. */
    public void halt() {
        if (!isHalted) {
            isHalted = true;
            queue.clear();
            advance();
        }
    }

    /** Reports that the PRE script or the jobs of a node do not begin, as the run is halted. */
    public void withheld(RunNode node) {
        busy -= busyCount(node);
        node.become(RunState.READY);
        advance();
    }

    private void startFreeNodes() {
        graph.plain.stream().filter(RunNode::mayBegin).forEach(this::begin);
    }

    private void begin(RunNode node) {
        if (isHalted && node != finalNode) {
            return;
        }
        node.hasStarted = true;
        if (node.node().pre().isPresent()) {
            node.become(RunState.PRERUN);
            busy += busyCount(node);
            executor.pre(node);
        } else {
            ready(node, options.depthFirst());
        }
    }

    /** 1 for a node on which the end of the run waits, 0 for service nodes. */
    private static int busyCount(RunNode node) {
        return node.node().kind() == NodeKind.SERVICE ? 0 : 1;
    }

    private void ready(RunNode node, boolean inFront) {
        node.become(RunState.READY);
        if (node.node().kind() == NodeKind.SERVICE) {
            submit(node);
        } else if (!isHalted || node == finalNode) {
            queue.put(node, inFront);
        }
    }

    /** Submits what may be submitted, and ends the run when nothing is left to do. */
    private void advance() {
        if (!mayAdvance) {
            return;
        }
        mayAdvance = false;
        while (ending == null) {
            Optional<RunNode> next = throttles.isFull() ? Optional.empty() : queue.takeFirst(throttles::admits);
            if (next.isPresent()) {
                submit(next.get());
            } else if (busy == 0 && queue.isEmpty()) {
                decideEnd();
                if (busy == 0 && queue.isEmpty()) {
                    break;
                }
            } else {
                break;
            }
        }
        mayAdvance = ending == null;
    }

    private void submit(RunNode node) {
        node.become(RunState.SUBMITTED);
        busy += busyCount(node);
        throttles.count(node, 1);
        node.submitted(executor.submit(node));
    }

    private void leftQueue(RunNode node) {
        busy -= busyCount(node);
        throttles.count(node, -1);
    }

    /** Reports the end of a PRE script, unless it is deferred, that is, runs again later. */
    public void preEnded(RunNode node, int code) {
        if (isOver(node)) {
            return;
        }
        busy -= busyCount(node);
        node.preReturned = code;
        OptionalInt skip = node.node().rules().preSkip();
        if (code != 0 && skip.isPresent() && skip.getAsInt() == code) {
            done(node);
        } else if (node.abortsOn(code)) {
            node.become(RunState.ERROR);
            abort(node);
        } else if (code == 0) {
            ready(node, options.depthFirst());
        } else if (options.alwaysRunPost() && node.node().post().isPresent()) {
            post(node, PRE_FAILED);
        } else {
            attemptFailed(node, code);
        }
        advance();
    }

    /** Reports that all attempts to submit the node's jobs have failed. */
    public void notSubmitted(RunNode node) {
        if (isOver(node)) {
            return;
        }
        leftQueue(node);
        node.submissionFailed = true;
        if (node.node().post().isPresent()) {
            post(node, SUBMIT_FAILED);
        } else {
            failed(node, true);
        }
        advance();
    }

    /**
     * Reports that a proc has left the queue.
     *
     * @param code its exit code, a signal as its negative, or {@link #REMOVED}
     * @param isLast whether no other proc of the node is left
     */
    public void procEnded(RunNode node, int code, boolean isLast) {
        if (isOver(node)) {
            return;
        }
        boolean hadFailed = node.hasFailed();
        node.ended(code, node.tolerated(options.tolerance()));
        boolean hasPost = node.node().post().isPresent();
        if (!hasPost && code != REMOVED && node.abortsOn(node.value())) {
            leftQueue(node);
            node.become(node.hasFailed() ? RunState.ERROR : isLast ? RunState.DONE : RunState.SUBMITTED);
            abort(node);
        } else if (isLast) {
            leftQueue(node);
            if (hasPost) {
                post(node, node.value());
            } else if (node.hasFailed()) {
                attemptFailed(node, node.value());
            } else {
                done(node);
            }
        } else if (node.hasFailed() && !hadFailed && !node.waitsForAllProcs()) {
            executor.removeRest(node);
        }
        advance();
    }

    private void post(RunNode node, int returned) {
        node.become(RunState.POSTRUN);
        node.returned = returned;
        busy += busyCount(node);
        executor.post(node);
    }

    /** Reports the end of a POST script, unless it is deferred, that is, runs again later. */
    public void postEnded(RunNode node, int code) {
        if (isOver(node)) {
            return;
        }
        busy -= busyCount(node);
        if (node.abortsOn(code)) {
            node.become(code == 0 ? RunState.DONE : RunState.ERROR);
            abort(node);
        } else if (code == 0) {
            done(node);
        } else {
            attemptFailed(node, code);
        }
        advance();
    }

    /** Whether the node's events no longer count: the run has ended, or only FINAL may still run. */
    private boolean isOver(RunNode node) {
        return ending != null || decided != null && node != finalNode;
    }

    private void done(RunNode node) {
        node.become(RunState.DONE);
        if (node.isPlain()) {
            node.arcs.forEach(this::satisfied);
        }
    }

    private void satisfied(RunArcs arcs) {
        arcs.parentSatisfied().stream().filter(RunNode::mayBegin).forEach(this::begin);
    }

    private void attemptFailed(RunNode node, int value) {
        DagNode.Retry retry = node.node().rules().retry();
        int retries = node.node().kind() == NodeKind.FINAL ? 0 : retry.times();
        OptionalInt unless = retry.unlessExit();
        boolean mayRetry =
                node.attempt < retries && !node.submissionFailed && node.node().kind() != NodeKind.SERVICE;
        if (!mayRetry) {
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

    /** @param passesOn whether children behind weak arcs start and those behind other arcs become futile; false after UNLESS-EXIT */
    private void failed(RunNode node, boolean passesOn) {
        node.become(RunState.ERROR);
        if (!passesOn || !node.isPlain()) {
            return;
        }
        node.arcs.stream().filter(arcs -> arcs.isWeak).forEach(this::satisfied);
        node.makeChildrenFutile();
    }

    private void abort(RunNode node) {
        if (node == finalNode) {
            return;
        }
        int exit = node.node().rules().abort().orElseThrow().exit();
        decide(exit, exit == 0 ? Status.OK : Status.ABORT);
    }

    private void decideEnd() {
        if (decided != null) {
            endAfterFinal(decided);
        } else if (isHalted) {
            decide(1, Status.HALTED);
        } else if (!graph.failed().isEmpty()) {
            decide(1, Status.NODE_FAILED);
        } else if (graph.plain.stream().allMatch(node -> node.state() == RunState.DONE)) {
            decide(0, Status.OK);
        } else {
            decide(1, Status.CYCLE);
        }
    }

    /** Ends all nodes but FINAL: writes the rescue file first, then removes jobs, then starts FINAL. */
    private void decide(int exit, Status status) {
        decided = new Ending(exit, status, exit != 0);
        if (exit != 0) {
            executor.rescue(graph.rescue(options.resetRetries()));
        }
        executor.removeAll();
        busy = 0;
        queue.clear();
        throttles.clear();
        if (finalNode == null) {
            ending = decided;
        } else {
            begin(finalNode);
        }
    }

    private void endAfterFinal(Ending before) {
        boolean isGood = finalNode != null && finalNode.state() == RunState.DONE;
        if (!isGood) {
            executor.rescue(graph.rescue(options.resetRetries()));
        }
        Status status = isGood || before.status() != Status.OK ? before.status() : Status.NODE_FAILED;
        ending = new Ending(isGood ? 0 : 1, status, before.hasRescue() || !isGood);
    }
}
