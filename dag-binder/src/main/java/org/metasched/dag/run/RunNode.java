package org.metasched.dag.run;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.metasched.dag.DagNode;
import org.metasched.dag.NodeKind;

/** A node and its state so far. Belongs to the thread of its {@link DagRun}. */
public final class RunNode {

    final DagNode node;
    /** Children in the order of the arcs, and whether the arc is weak. */
    final Map<RunNode, Boolean> children = new LinkedHashMap<>();

    /** The parents whose ends the node still waits for. */
    final Set<RunNode> waitsFor = new LinkedHashSet<>();

    RunState state = RunState.NOT_READY;
    /** The number of attempts before this one. */
    int attempt;
    /** Submission has failed, so there is no retry. */
    boolean isPoisoned;

    boolean hasStarted;
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

    RunNode(DagNode node) {
        this.node = node;
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

    /** The node's value for its POST script: the exit code of its jobs, -1001 if submission failed, -1004 if PRE did. */
    public int returned() {
        return returned;
    }

    /** The exit code of its PRE script; 0 without one. */
    public int preReturned() {
        return preReturned;
    }

    /** Whether the node takes part in the order of the graph. */
    boolean isPlain() {
        return node.kind() == NodeKind.JOB || node.kind() == NodeKind.SUBDAG || node.kind() == NodeKind.PROVISIONER;
    }

    void submitted(int count) {
        procs = new Procs(count);
    }

    /** Notes the end of a proc, with -1002 if it was removed; {@code tolerated} procs may fail. */
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

    /** The number of procs that may fail. */
    int tolerated(int usual) {
        List<String> words = node.rules().tolerance();
        if (words.isEmpty()) {
            return usual;
        }
        String word = words.get(0);
        return word.endsWith("%")
                ? (int) ((long) procs.count * Integer.parseInt(word.substring(0, word.length() - 1)) / 100)
                : Integer.parseInt(word);
    }

    boolean waitsForAllProcs() {
        return node.rules().tolerance().stream().anyMatch("WAIT"::equalsIgnoreCase);
    }

    boolean hasFailed() {
        return procs.hasFailed;
    }

    int value() {
        return procs.value;
    }

    /** Makes this node and those that depend on it futile; a node that has started stays as it is. */
    void becomeFutile() {
        if (state == RunState.NOT_READY && !hasStarted) {
            state = RunState.FUTILE;
            children.keySet().forEach(RunNode::becomeFutile);
        }
    }

    boolean abortsOn(int code) {
        return node.rules().abort().filter(abort -> abort.on() == code).isPresent();
    }

    /** Whether the node counts as done in a rescue file: so does a failed node if all its arcs are weak. */
    boolean isDoneForRescue() {
        return state == RunState.DONE
                || state == RunState.ERROR
                        && !children.isEmpty()
                        && children.values().stream().allMatch(weak -> weak);
    }

    @Override
    public String toString() {
        return name() + " " + state;
    }
}
