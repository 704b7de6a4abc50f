package org.metasched.dag;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A DAG as it would run: every node of its splices and includes, and their dependencies. Vertices are numbers, from 0, in no
 * particular order; {@link NodeKind#JOIN} nodes, which stand between several parents and several children, are among them but do not
 * count as nodes. Keeps about 60 bytes a node besides its name. Immutable and thread-safe.
 */
public final class Dag {

    private final NodeNamespace scope;
    final Adjacency graph;
    /** The number in the scope of each vertex. */
    private final int[] numbers;

    private final int nodes;
    private final int joins;
    private final int arcs;
    private final long edges;
    private final List<DagPart> parts;

    Dag(NodeNamespace scope, List<DagPart> parts) {
        this.scope = scope;
        this.parts = List.copyOf(parts);
        this.numbers = IntStream.range(0, scope.nodes.size())
                .filter(scope.nodes::isNode)
                .toArray();
        int[] vertices = vertices();
        DependencyEdges edgeList = renumber(scope.edges, vertices);
        DependencyEdges pinList = renumber(scope.pinEdges, vertices);
        Adjacency declared = Adjacency.of(numbers.length, edgeList);
        this.graph = pinList.size() == 0 ? declared : Adjacency.of(numbers.length, edgeList, pinList);
        int[] allJoins = IntStream.range(0, numbers.length)
                .filter(v -> kind(v) == NodeKind.JOIN)
                .toArray();
        this.nodes = numbers.length - allJoins.length;
        this.joins =
                (int) IntStream.of(allJoins).filter(v -> declared.degree(v) > 0).count();
        this.arcs = declared.arcs();
        this.edges = joins == 0 ? declared.arcs() : new EdgeCounter(this, declared).count();
    }

    /** The vertex of each number in the scope; 0 for names of splices and undefined names, which no edge has. */
    private int[] vertices() {
        int[] vertices = new int[scope.nodes.size()];
        for (int i = 0; i < numbers.length; i++) {
            vertices[numbers[i]] = i;
        }
        return vertices;
    }

    /** Gives the pairs the numbers of vertices. Those of the scope are the same if all its names are nodes. */
    private DependencyEdges renumber(DependencyEdges pairs, int[] vertices) {
        if (numbers.length != scope.nodes.size()) {
            pairs.renumber(vertices);
        }
        return pairs;
    }

    /** The number of nodes without join nodes. */
    public int nodeCount() {
        return nodes;
    }

    /**
     * The number of dependencies: pairs of parent and child, each once. Those over pins do not count, as in condor. If counting takes more
     * than 10⁹ steps, a pair that several PARENT lines name may count more than once.
     */
    public long edgeCount() {
        return edges;
    }

    /** The number of join nodes, which condor would make too; those between pins do not count. */
    public int joinCount() {
        return joins;
    }

    /** The number of arcs as condor counts them: between nodes, to join nodes and from join nodes; those over pins do not count. */
    public int arcCount() {
        return arcs;
    }

    /** The number of vertices: nodes and join nodes. */
    public int vertexCount() {
        return numbers.length;
    }

    /** The kind of a node; {@link NodeKind#JOIN} for a join node. */
    public NodeKind kind(int vertex) {
        return scope.nodes.kind(numbers[vertex]);
    }

    /** The node's name with those of its splices before it, as in {@code outer+inner+node}. */
    public String name(int vertex) {
        return scope.nodes.name(numbers[vertex]);
    }

    /** Whether the DAG file says that the node has run already. */
    public boolean isDone(int vertex) {
        return scope.nodes.has(numbers[vertex], NodeTable.DONE);
    }

    /** The DAG file in which the node is defined. */
    public String definedIn(int vertex) {
        return scope.session.sources.name(scope.nodes.files.get(numbers[vertex]));
    }

    /** The line, from 1, on which the node is defined; 0 for a join node. */
    public int line(int vertex) {
        return scope.nodes.lines.get(numbers[vertex]);
    }

    /** The vertices that wait for this one, join nodes among them. */
    public IntStream children(int vertex) {
        return IntStream.range(graph.starts[vertex], graph.starts[vertex + 1]).map(i -> graph.children[i]);
    }

    /** The nodes that wait for this one, directly or over a join node. A node comes once for each such way. */
    public IntStream childNodes(int vertex) {
        return children(vertex)
                .flatMap(child -> kind(child) == NodeKind.JOIN ? childNodes(child) : IntStream.of(child));
    }

    /** The vertices that each vertex waits for, join nodes among them. */
    public List<int[]> parents() {
        int[] left = graph.inDegrees();
        List<int[]> parents = IntStream.of(left).mapToObj(int[]::new).toList();
        for (int vertex = left.length - 1; vertex >= 0; vertex--) {
            int parent = vertex;
            children(vertex).forEach(child -> parents.get(child)[--left[child]] = parent);
        }
        return parents;
    }

    /** The vertices, each after all that it waits for; those on a cycle, or behind one, are left out. */
    public int[] parentsFirst() {
        return graph.parentsFirst(graph.inDegrees());
    }

    /** The other files that the DAG consists of or refers to, once for each directory from which they are named. */
    public List<DagPart> parts() {
        return parts;
    }

    /** The right-hand sides of SET_JOB_ATTR. */
    public List<String> jobAttributes() {
        return List.copyOf(scope.session.settings.jobAttributes);
    }

    /** Settings of ENV SET, in the syntax of a job's environment. */
    public List<String> environmentSettings() {
        return List.copyOf(scope.session.settings.environmentSet);
    }

    /** The patterns of the variables that ENV GET hands on; see {@link InheritedVariables#patterns}. */
    public List<String> environmentPatterns() {
        return scope.session.settings.environmentGet.stream()
                .flatMap(names -> Stream.of(names.split("[\\s,;]+")))
                .toList();
    }

    /** Whether a submit description stands in a DAG file. */
    public boolean hasInlineDescriptions() {
        return scope.session.settings.hasInlineDescriptions;
    }

    /** Whether a node has a PRE, POST or HOLD script. */
    public boolean hasScripts() {
        return scope.session.settings.hasScripts;
    }

    /** The HOLD scripts and the configuration file, relative to the DAG's directory. */
    public List<String> helperFiles() {
        return List.copyOf(scope.session.settings.helperFiles);
    }

    /** The directories in which nodes run, relative to the DAG's own, which is left out. */
    public List<String> directories() {
        ByteNames names = scope.session.directories;
        return IntStream.range(0, names.size())
                .mapToObj(names::text)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
