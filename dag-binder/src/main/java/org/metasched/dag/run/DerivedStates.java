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
            node.become(
                    isDone
                            ? RunState.DONE
                            : failed.contains(node.name())
                                    ? RunState.ERROR
                                    : active.getOrDefault(node.name(), RunState.NOT_READY));
        }
        for (RunNode node : graph.nodes.values()) {
            node.arcs.stream()
                    .filter(arcs -> node.state() == RunState.DONE || node.state() == RunState.ERROR && arcs.isWeak)
                    .forEach(RunArcs::parentSatisfied);
        }
        graph.failed().forEach(RunNode::makeChildrenFutile);
        var states = new LinkedHashMap<String, RunState>();
        for (RunNode node : graph.nodes.values()) {
            states.put(node.name(), node.isPlain() && node.mayBegin() ? RunState.READY : node.state());
        }
        return states;
    }
}
