package org.metasched.dag;

import java.util.Arrays;

/**
 * Finds a cycle, if there is one, without recursion: takes away what has no parents until nothing moves (Kahn), then walks what is
 * left depth first until it meets its own path. {@code O(V + E)}; a chain of millions of nodes costs no stack.
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
        int[] next = Arrays.copyOf(graph.starts, vertices);
        int[] place = new int[vertices];
        Arrays.fill(place, -1);
        boolean[] finished = new boolean[vertices];
        for (int root = 0; root < vertices; root++) {
            if (degrees[root] == 0 || finished[root]) {
                continue;
            }
            int depth = 0;
            path[0] = root;
            place[root] = 0;
            while (depth >= 0) {
                int v = path[depth];
                if (next[v] == graph.starts[v + 1]) {
                    finished[v] = true;
                    place[v] = -1;
                    depth--;
                    continue;
                }
                int child = graph.children[next[v]++];
                if (place[child] >= 0) {
                    return Arrays.copyOfRange(path, place[child], depth + 1);
                }
                if (!finished[child] && degrees[child] > 0) {
                    path[++depth] = child;
                    place[child] = depth;
                }
            }
        }
        throw new IllegalStateException("Vertices are left over, but none of them is on a cycle.");
    }
}
