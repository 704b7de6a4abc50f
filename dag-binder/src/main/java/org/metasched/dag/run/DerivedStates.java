package org.metasched.dag.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.metasched.dag.DagNodes;

/** Derivation of all nodes' states from the known ones and the arcs of the DAG. */
public final class DerivedStates {

    private DerivedStates() {}

    /**
     * The states of all nodes by name.
     *
     * @param done nodes that are done, besides those marked DONE
     * @param failed nodes in error for good
     * @param active states of other nodes that are under way
     */
    public static Map<String, RunState> of(
            DagNodes nodes, Set<String> done, Set<String> failed, Map<String, RunState> active) {
        RunGraph graph = new RunGraph(nodes);
        for (RunNode node : graph.nodes.values()) {
            boolean isDone = node.node().isDone() || done.contains(node.name());
            node.state = isDone
                    ? RunState.DONE
                    : failed.contains(node.name())
                            ? RunState.ERROR
                            : active.getOrDefault(node.name(), RunState.NOT_READY);
        }
        graph.failed()
                .forEach(node -> node.children.forEach((child, isWeak) -> {
                    if (!isWeak) {
                        child.becomeFutile();
                    }
                }));
        var states = new LinkedHashMap<String, RunState>();
        for (RunNode node : graph.nodes.values()) {
            boolean isReady = node.state == RunState.NOT_READY
                    && node.isPlain()
                    && node.waitsFor.stream().allMatch(parent -> satisfies(parent, node));
            states.put(node.name(), isReady ? RunState.READY : node.state);
        }
        return states;
    }

    private static boolean satisfies(RunNode parent, RunNode child) {
        return parent.state == RunState.DONE
                || parent.state == RunState.ERROR && parent.children.getOrDefault(child, false);
    }
}
