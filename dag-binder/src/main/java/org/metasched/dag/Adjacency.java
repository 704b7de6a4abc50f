package org.metasched.dag;

import java.util.Arrays;
import java.util.BitSet;

/** A directed graph in two arrays: the children of vertex v are {@code children[starts[v]] .. children[starts[v + 1] - 1]}, sorted. */
final class Adjacency {

    final int[] starts;
    final int[] children;

    private Adjacency(int[] starts, int[] children) {
        this.starts = starts;
        this.children = children;
    }

    /** The graph of pairs of parent and child; equal pairs become one. {@code O(V + E log d)} if a vertex has at most d children. */
    static Adjacency of(int vertices, DependencyEdges... edgeLists) {
        int[] starts = new int[vertices + 1];
        int total = 0;
        for (DependencyEdges edges : edgeLists) {
            for (int edge = 0; edge < edges.size(); edge++) {
                starts[edges.parent(edge) + 1]++;
            }
            total += edges.size();
        }
        for (int v = 0; v < vertices; v++) {
            starts[v + 1] += starts[v];
        }
        int[] children = new int[total];
        for (DependencyEdges edges : edgeLists) {
            for (int edge = 0; edge < edges.size(); edge++) {
                children[starts[edges.parent(edge)]++] = edges.child(edge);
            }
        }
        // Filling has moved each start to that of the next vertex; one shift moves all of them back.
        System.arraycopy(starts, 0, starts, 1, vertices);
        starts[0] = 0;
        return new Adjacency(starts, unique(starts, children, vertices));
    }

    /**
     * Sorts the children of each vertex in place and drops equal ones; {@code starts} then has the new indexes. Returns the children left.
     */
    private static int[] unique(int[] starts, int[] children, int vertices) {
        int kept = 0;
        int from = 0;
        for (int v = 0; v < vertices; v++) {
            int to = starts[v + 1];
            if (to - from > 1) {
                Arrays.sort(children, from, to);
            }
            int first = kept;
            for (int i = from; i < to; i++) {
                if (kept == first || children[kept - 1] != children[i]) {
                    children[kept++] = children[i];
                }
            }
            from = to;
            starts[v + 1] = kept;
        }
        return kept == children.length ? children : Arrays.copyOf(children, kept);
    }

    int vertices() {
        return starts.length - 1;
    }

    int arcs() {
        return children.length;
    }

    /** The number of arcs that begin at a vertex. */
    int degree(int vertex) {
        return starts[vertex + 1] - starts[vertex];
    }

    /** The number of arcs that end at each vertex. */
    int[] inDegrees() {
        int[] degrees = new int[vertices()];
        for (int child : children) {
            degrees[child]++;
        }
        return degrees;
    }

    /**
     * The vertices, each after all its parents; those on a cycle, or behind one, are left out.
     *
     * @param degrees {@link #inDegrees()}, counted down here; afterwards only the vertices left out are above 0
     */
    int[] parentsFirst(int[] degrees) {
        int[] ready = new int[vertices()];
        int tail = 0;
        for (int v = 0; v < degrees.length; v++) {
            if (degrees[v] == 0) {
                ready[tail++] = v;
            }
        }
        for (int head = 0; head < tail; head++) {
            int v = ready[head];
            for (int i = starts[v]; i < starts[v + 1]; i++) {
                if (--degrees[children[i]] == 0) {
                    ready[tail++] = children[i];
                }
            }
        }
        return tail == ready.length ? ready : Arrays.copyOf(ready, tail);
    }

    /** The vertices of one cycle in order, each once; empty if there is none. {@code O(V + E)}, without recursion. */
    int[] cycle() {
        int[] degrees = inDegrees();
        if (parentsFirst(degrees).length == vertices()) {
            return new int[0];
        }
        // Each vertex left out has a parent that is left out, so a walk from parent to parent meets itself.
        int[] parents = new int[vertices()];
        int start = 0;
        for (int v = vertices() - 1; v >= 0; v--) {
            for (int i = starts[v]; degrees[v] > 0 && i < starts[v + 1]; i++) {
                parents[children[i]] = v;
            }
            start = degrees[v] > 0 ? v : start;
        }
        BitSet met = new BitSet();
        for (; !met.get(start); start = parents[start]) {
            met.set(start);
        }
        IntList backwards = new IntList();
        for (int v = parents[start]; v != start; v = parents[v]) {
            backwards.add(v);
        }
        int[] cycle = new int[backwards.size() + 1];
        cycle[0] = start;
        for (int i = 1; i < cycle.length; i++) {
            cycle[i] = backwards.get(cycle.length - 1 - i);
        }
        return cycle;
    }
}
