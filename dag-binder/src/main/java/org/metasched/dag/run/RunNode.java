package org.metasched.dag.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNode.Tolerance;
import org.metasched.dag.NodeKind;

/** A node and its state so far. Belongs to the thread of its {@link DagRun}. */
public final class RunNode {

    final DagNode node;
    private final int[] counts;
    /** The arcs to its children, in the order of the files. */
    final List<RunArcs> arcs = new ArrayList<>();

    /** The number of arcs to it that are not satisfied. */
    int waitsFor;

    private RunState state = RunState.NOT_READY;
    /** The number of attempts before this one. */
    int attempt;
    /** Whether all attempts to submit the jobs have failed: then there is no retry. */
    boolean submissionFailed;

    boolean hasStarted;
    /** Set when the node becomes ready. */
    long order;

    private Procs procs = new Procs(0);
    int returned;
    int preReturned;

    /** The procs of one attempt. */
    private static final class Procs {
        final int count;
        int failures;
        boolean hasFailed;
        int value;

        Procs(int count) {
            this.count = count;
        }
    }

    /** @param counts numbers of nodes by their states' ordinals, which this node keeps up to date */
    RunNode(DagNode node, int[] counts) {
        this.node = node;
        this.counts = counts;
        counts[state.ordinal()]++;
    }

    void become(RunState next) {
        counts[state.ordinal()]--;
        counts[next.ordinal()]++;
        state = next;
    }

    /** The node as the DAG declares it. */
    public DagNode node() {
        return node;
    }

    public String name() {
        return node.name();
    }

    public RunState state() {
        return state;
    }

    /** The number of attempts before this one: {@code $RETRY}. */
    public int attempt() {
        return attempt;
    }

    /** Its place among the nodes of its priority in the order of submission, lowest first. */
    public long order() {
        return order;
    }

    /** The node's value for its POST script: the exit code of its jobs, -1001 if no job was submitted, -1004 if the PRE script failed. */
    public int returned() {
        return returned;
    }

    /** Whether the attempt has failed before it had jobs. */
    public boolean isWithoutJobs() {
        return returned == DagRun.SUBMIT_FAILED || returned == DagRun.PRE_FAILED;
    }

    /** The exit code of its PRE script; 0 without one. */
    public int preReturned() {
        return preReturned;
    }

    /** Whether the node is part of the DAG's progress: FINAL and SERVICE nodes are not. */
    boolean isPlain() {
        return node.kind() == NodeKind.JOB || node.kind() == NodeKind.SUBDAG || node.kind() == NodeKind.PROVISIONER;
    }

    void submitted(int count) {
        procs = new Procs(count);
    }

    /** Notes the end of a proc, with {@link DagRun#REMOVED} if it was removed; {@code tolerated} procs may fail. */
    void ended(int code, int tolerated) {
        if (code != 0) {
            procs.failures++;
            if (procs.failures == 1) {
                procs.value = code;
            }
        } else if (!procs.hasFailed) {
            procs.value = 0;
        }
        procs.hasFailed |= procs.failures > tolerated;
    }

    /** @param usual number of procs that may fail if the node does not set it */
    int tolerated(int usual) {
        return node.rules()
                .tolerance()
                .map(tolerance -> tolerance.of(procs.count))
                .orElse(usual);
    }

    /** Whether the other procs run on after too many have failed. */
    boolean waitsForAllProcs() {
        return node.rules().tolerance().filter(Tolerance::isWaiting).isPresent();
    }

    boolean hasFailed() {
        return procs.hasFailed;
    }

    int value() {
        return procs.value;
    }

    boolean mayBegin() {
        return waitsFor == 0 && state == RunState.NOT_READY && !hasStarted;
    }

    /** Makes the children behind arcs that are not weak futile. */
    void makeChildrenFutile() {
        for (RunArcs some : arcs) {
            if (!some.isWeak) {
                some.toBecomeFutile().forEach(RunNode::becomeFutile);
            }
        }
    }

    /** Makes this node and those that depend on it futile, except nodes that have started and what depends on these alone. */
    void becomeFutile() {
        // Without recursion: a chain may be longer than any stack.
        var reached = new ArrayDeque<>(List.of(this));
        while (!reached.isEmpty()) {
            RunNode next = reached.pop();
            if (next.state == RunState.NOT_READY && !next.hasStarted) {
                next.become(RunState.FUTILE);
                next.arcs.forEach(arcs -> reached.addAll(arcs.toBecomeFutile()));
            }
        }
    }

    boolean abortsOn(int code) {
        return node.rules().abort().filter(abort -> abort.on() == code).isPresent();
    }

    /** Whether the node counts as done in a rescue file. A failed node does if it has children and all its arcs are weak. */
    boolean isDoneForRescue() {
        return state == RunState.DONE
                || state == RunState.ERROR && !arcs.isEmpty() && arcs.stream().allMatch(some -> some.isWeak);
    }
}
