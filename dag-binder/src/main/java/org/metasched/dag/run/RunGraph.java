package org.metasched.dag.run;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.dag.Dag;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;

/** The nodes of a DAG with their arcs, in the order in which the files declare them; arcs lead past join nodes. */
final class RunGraph {

    final Map<String, RunNode> nodes = new LinkedHashMap<>();
    private final List<RunNode> plain;

    RunGraph(DagNodes all) {
        for (DagNode node : all.all()) {
            nodes.put(node.name(), new RunNode(node));
        }
        plain = nodes.values().stream().filter(RunNode::isPlain).toList();
        boolean hasSplices = nodes.keySet().stream().anyMatch(name -> name.contains("+"));
        if (hasSplices) {
            // Only the graph has the arcs of splices and of their pins.
            fromGraph(all.parsed().dag());
            all.families().stream()
                    .sorted(Comparator.comparing(family -> !family.isWeak()))
                    .forEach(this::markArcs);
        } else {
            for (var family : all.families()) {
                for (String parent : family.parents()) {
                    family.children().forEach(child -> arc(nodes.get(parent), nodes.get(child), family.isWeak()));
                }
            }
        }
    }

    private static void arc(@Nullable RunNode parent, @Nullable RunNode child, boolean isWeak) {
        if (parent != null && child != null) {
            parent.children.merge(child, isWeak, Boolean::logicalAnd);
            child.waitsFor.add(parent);
        }
    }

    /** Marks the arcs between nodes as weak or not, which {@link Dag} does not tell. Arcs of splices are not weak. */
    private void markArcs(DagNodes.Family family) {
        for (String parent : family.parents()) {
            for (String child : family.children()) {
                RunNode from = nodes.get(parent);
                RunNode to = nodes.get(child);
                if (from != null && to != null) {
                    from.children.replace(to, family.isWeak());
                }
            }
        }
    }

    private void fromGraph(Dag dag) {
        for (int vertex = 0; vertex < dag.vertexCount(); vertex++) {
            if (dag.kind(vertex) != NodeKind.JOIN) {
                RunNode parent = nodes.get(dag.name(vertex));
                dag.childNodes(vertex).forEach(child -> arc(parent, nodes.get(dag.name(child)), false));
            }
        }
    }

    List<RunNode> ofKind(NodeKind kind) {
        return nodes.values().stream()
                .filter(node -> node.node().kind() == kind)
                .toList();
    }

    /** The nodes that are part of the DAG's progress; see {@link RunNode#isPlain}. */
    List<RunNode> plain() {
        return plain;
    }

    List<RunNode> failed() {
        return plain.stream().filter(node -> node.state == RunState.ERROR).toList();
    }

    /** Makes nodes DONE that need not run: their children do not wait for them. */
    void premarkDone(Set<String> done) {
        for (RunNode node : plain) {
            if (node.node().isDone() || done.contains(node.name())) {
                node.state = RunState.DONE;
                node.children.keySet().forEach(child -> child.waitsFor.remove(node));
            }
        }
    }

    RescueState rescue(boolean resetsRetries) {
        Map<String, Integer> retries = new LinkedHashMap<>();
        for (RunNode node : plain) {
            int times = node.node().rules().retry().times();
            if (!resetsRetries && times > 0) {
                retries.put(node.name(), node.submissionFailed ? 0 : times - node.attempt);
            }
        }
        return new RescueState(
                plain.stream()
                        .filter(RunNode::isDoneForRescue)
                        .map(RunNode::name)
                        .toList(),
                failed().stream().map(RunNode::name).toList(),
                retries);
    }
}
