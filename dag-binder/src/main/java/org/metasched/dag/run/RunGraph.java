package org.metasched.dag.run;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.dag.Dag;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;

/** The nodes of a DAG with their arcs, in the order in which the files declare them; arcs lead past join nodes. */
final class RunGraph {

    final Map<String, RunNode> nodes = new LinkedHashMap<>();
    /** The nodes that are part of the DAG's progress; see {@link RunNode#isPlain}. */
    final List<RunNode> plain;
    /** By the ordinals of states, the numbers of nodes. */
    private final int[] counts = new int[RunState.values().length];

    RunGraph(DagNodes all) {
        for (DagNode node : all.all()) {
            nodes.put(node.name(), new RunNode(node, counts));
        }
        plain = nodes.values().stream().filter(RunNode::isPlain).toList();
        boolean hasSplices = nodes.keySet().stream().anyMatch(name -> name.contains("+"));
        if (hasSplices) {
            // Only the graph has the arcs of splices and of their pins.
            if (all.families().stream().anyMatch(DagNodes.Family::isWeak)) {
                readGraph(all.parsed().dag(), all.families());
            } else {
                readGraph(all.parsed().dag());
            }
        } else {
            all.families().forEach(family -> connect(family.parents(), family.children().stream(), family.isWeak()));
        }
    }

    private void connect(List<String> parents, Stream<String> children, boolean isWeak) {
        new RunArcs(named(parents.stream()), named(children), isWeak).connect();
    }

    private List<RunNode> named(Stream<String> names) {
        return names.distinct()
                .flatMap(name -> Stream.ofNullable(nodes.get(name)))
                .toList();
    }

    /** Reads the arcs from a graph without weak ones: m times n arcs over a join node are one {@link RunArcs}. */
    private void readGraph(Dag dag) {
        List<int[]> parents = dag.parents();
        for (int vertex = 0; vertex < dag.vertexCount(); vertex++) {
            boolean isJoin = dag.kind(vertex) == NodeKind.JOIN;
            IntStream before = isJoin ? IntStream.of(parents.get(vertex)) : IntStream.of(vertex);
            // Join nodes among the children have no name, and so are left out.
            connect(before.mapToObj(dag::name).toList(), dag.children(vertex).mapToObj(dag::name), false);
        }
    }

    /** Reads the arcs from the graph, which does not say which are weak: those that a weak family alone names. Arcs of splices are not. */
    private void readGraph(Dag dag, List<DagNodes.Family> families) {
        Map<String, Set<String>> weak = new HashMap<>();
        families.stream()
                .filter(DagNodes.Family::isWeak)
                .forEach(family -> family.parents()
                        .forEach(parent -> weak.computeIfAbsent(parent, name -> new HashSet<>())
                                .addAll(family.children())));
        families.stream()
                .filter(family -> !family.isWeak())
                .forEach(family -> family.parents()
                        .forEach(parent -> Optional.ofNullable(weak.get(parent))
                                .ifPresent(names -> family.children().forEach(names::remove))));
        for (int vertex = 0; vertex < dag.vertexCount(); vertex++) {
            if (dag.kind(vertex) != NodeKind.JOIN) {
                List<String> parent = List.of(dag.name(vertex));
                Set<String> behindWeak = weak.getOrDefault(parent.get(0), Set.of());
                Map<Boolean, List<String>> children = dag.childNodes(vertex)
                        .mapToObj(dag::name)
                        .collect(Collectors.partitioningBy(behindWeak::contains));
                children.forEach((isWeak, names) -> connect(parent, names.stream(), isWeak));
            }
        }
    }

    List<RunNode> ofKind(NodeKind kind) {
        return nodes.values().stream()
                .filter(node -> node.node().kind() == kind)
                .toList();
    }

    int count(RunState state) {
        return counts[state.ordinal()];
    }

    List<RunNode> failed() {
        return count(RunState.ERROR) == 0
                ? List.of()
                : plain.stream().filter(node -> node.state() == RunState.ERROR).toList();
    }

    /** Makes nodes DONE that need not run: their children do not wait for them. */
    void premarkDone(Set<String> done) {
        for (RunNode node : plain) {
            if (node.node().isDone() || done.contains(node.name())) {
                node.become(RunState.DONE);
                node.arcs.forEach(RunArcs::parentSatisfied);
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
