package org.metasched.dag.slurm;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.RescueState;
import org.metasched.dag.run.RunExecutor;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;

/**
 * Actions that a run has decided and its process has not done yet. They are only noted here, so a journal can be replayed without an
 * effect. Not thread-safe.
 */
final class PendingActions implements RunExecutor {

    /** The actions to be done or waited for, by node. */
    final Map<RunNode, PendingAction> byNode = new LinkedHashMap<>();
    /** Nodes whose jobs are to be removed. */
    final Set<RunNode> removals = new LinkedHashSet<>();

    private final ToIntFunction<RunNode> procs;
    private Optional<RescueState> rescue = Optional.empty();
    private boolean endsScripts;

    /** @param procs number of procs of a node */
    PendingActions(ToIntFunction<RunNode> procs) {
        this.procs = procs;
    }

    /** Takes out the rescue file to be written. */
    Optional<RescueState> takeRescue() {
        Optional<RescueState> taken = rescue;
        rescue = Optional.empty();
        return taken;
    }

    /** Returns whether all scripts are to be ended, and forgets it. */
    boolean takeEndOfScripts() {
        boolean taken = endsScripts;
        endsScripts = false;
        return taken;
    }

    /** Whether Slurm has the procs of the node now. */
    boolean isWithSlurm(RunNode node, PendingAction action) {
        return action.during == RunState.SUBMITTED
                && action.isUnderWay
                && node.node().kind() != NodeKind.SUBDAG
                && byNode.get(node) == action;
    }

    /** The nodes whose procs Slurm has now, with their actions; a copy. */
    List<Map.Entry<RunNode, PendingAction>> withSlurm() {
        return byNode.entrySet().stream()
                .filter(entry -> isWithSlurm(entry.getKey(), entry.getValue()))
                .map(Map.Entry::copyOf)
                .toList();
    }

    /** The actions that are to begin, submissions in the order of ready nodes; a copy. */
    List<Map.Entry<RunNode, PendingAction>> toBegin() {
        return byNode.entrySet().stream()
                .filter(entry -> !entry.getValue().isUnderWay)
                .sorted(Comparator.comparing(Map.Entry::getValue, PendingAction.FIRST_TO_BEGIN))
                .map(Map.Entry::copyOf)
                .toList();
    }

    /** Puts the action of a node behind the others of its priority. */
    void moveToEnd(RunNode node, PendingAction action) {
        action.order =
                byNode.values().stream().mapToLong(other -> other.order).max().orElse(0);
        byNode.remove(node);
        byNode.put(node, action);
    }

    @Override
    public void pre(RunNode node) {
        byNode.put(node, new PendingAction(RunState.PRERUN, 0));
    }

    @Override
    public void post(RunNode node) {
        byNode.put(node, new PendingAction(RunState.POSTRUN, 0));
    }

    @Override
    public int submit(RunNode node) {
        // Its former attempt is over: a removal that was noted while a journal is replayed is not meant for this one.
        removals.remove(node);
        var action = new PendingAction(RunState.SUBMITTED, procs.applyAsInt(node));
        action.priority = node.node().rules().priority();
        action.order = node.order();
        byNode.put(node, action);
        return action.procs();
    }

    @Override
    public void removeRest(RunNode node) {
        removals.add(node);
    }

    @Override
    public void removeAll() {
        byNode.forEach((node, action) -> {
            if (action.during == RunState.SUBMITTED) {
                removals.add(node);
            }
        });
        byNode.clear();
        endsScripts = true;
    }

    @Override
    public void rescue(RescueState written) {
        rescue = Optional.of(written);
    }
}
