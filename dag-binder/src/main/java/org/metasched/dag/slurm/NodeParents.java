package org.metasched.dag.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.metasched.dag.Dag;
import org.metasched.dag.NodeKind;

/** The nodes for which each node of a DAG waits. Keeps the arcs only: m times n dependencies over a join node take m plus n. */
final class NodeParents {

    private final Dag dag;
    private final List<int[]> parents;
    private final Map<String, Integer> vertices = new HashMap<>();

    NodeParents(Dag dag) {
        this.dag = dag;
        this.parents = dag.parents();
        IntStream.range(0, dag.vertexCount()).forEach(vertex -> vertices.put(dag.name(vertex), vertex));
    }

    /** The names of these nodes. */
    List<String> names(String node) {
        Integer vertex = vertices.get(node);
        return vertex == null
                ? List.of()
                : nodes(vertex).distinct().sorted().mapToObj(dag::name).toList();
    }

    private IntStream nodes(int vertex) {
        return IntStream.of(parents.get(vertex))
                .flatMap(parent -> dag.kind(parent) == NodeKind.JOIN ? nodes(parent) : IntStream.of(parent));
    }
}
