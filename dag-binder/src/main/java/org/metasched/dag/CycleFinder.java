package org.metasched.dag;

import java.util.Arrays;

/**
 * Finds a cycle, if there is one, without recursion: removes vertices without parents while there are any (Kahn), then walks the
 * rest depth first until it meets its own path. {@code O(V + E)}; a chain of millions of nodes costs no stack.
 */
final class CycleFinder {

    private final Adjacency graph;

    CycleFinder(Adjacency graph) {
        this.graph = graph;
    }

    /** The vertices of one cycle in order, each once; empty if there is none. */
    int[] find() {
        int[] degrees = graph.inDegrees();
        int sorted = graph.parentsFirst(degrees).length;
        return sorted == graph.vertices() ? new int[0] : walk(degrees);
    }

    /** Depth first through the vertices that still have parents. */
    private int[] walk(int[] degrees) {
        int vertices = graph.vertices();
        int[] path = new int[vertices];
        int[] nextArc = Arrays.copyOf(graph.starts, vertices);
        int[] indexInPath = new int[vertices];
        Arrays.fill(indexInPath, -1);
        boolean[] finished = new boolean[vertices];
        for (int root = 0; root < vertices; root++) {
            if (degrees[root] == 0 || finished[root]) {
                continue;
            }
            int depth = 0;
            path[0] = root;
            indexInPath[root] = 0;
            while (depth >= 0) {
                int v = path[depth];
                if (nextArc[v] == graph.starts[v + 1]) {
                    finished[v] = true;
                    indexInPath[v] = -1;
                    depth--;
                    continue;
                }
                int child = graph.children[nextArc[v]++];
                if (indexInPath[child] >= 0) {
                    return Arrays.copyOfRange(path, indexInPath[child], depth + 1);
                }
                if (!finished[child] && degrees[child] > 0) {
                    path[++depth] = child;
                    indexInPath[child] = depth;
                }
            }
        }
        throw new IllegalStateException("Vertices are left over, but none of them is on a cycle.");
    }
}
