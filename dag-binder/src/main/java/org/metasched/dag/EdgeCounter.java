package org.metasched.dag;

import java.util.Arrays;

/** Counts the dependencies between nodes: pairs of a parent and a child, over a join node or directly, each pair once. */
final class EdgeCounter {

    /** After so many steps, which take some seconds, a pair is counted each time that it occurs. */
    private static final long BUDGET = 1_000_000_000L;

    private final Dag dag;
    private final Adjacency graph;
    /** By child, the parent of its pair that was counted last; -1 before. */
    private final int[] lastParent;

    private long steps;

    EdgeCounter(Dag dag, Adjacency graph) {
        this.dag = dag;
        this.graph = graph;
        this.lastParent = new int[graph.vertices()];
        Arrays.fill(lastParent, -1);
    }

    long count() {
        long edges = 0;
        for (int v = 0; v < graph.vertices(); v++) {
            if (dag.kind(v) != NodeKind.JOIN) {
                edges += childCount(v);
            }
        }
        return edges;
    }

    private long childCount(int v) {
        int joins = 0;
        long sum = 0;
        for (int i = graph.starts[v]; i < graph.starts[v + 1]; i++) {
            boolean join = dag.kind(graph.children[i]) == NodeKind.JOIN;
            joins += join ? 1 : 0;
            sum += join ? graph.degree(graph.children[i]) : 1;
        }
        boolean simple = joins == 0 || graph.degree(v) == 1;
        return simple || steps > BUDGET ? sum : distinctCount(v);
    }

    private long distinctCount(int v) {
        long pairs = 0;
        for (int i = graph.starts[v]; i < graph.starts[v + 1]; i++) {
            int child = graph.children[i];
            if (dag.kind(child) != NodeKind.JOIN) {
                pairs += mark(child, v);
            } else {
                for (int j = graph.starts[child]; j < graph.starts[child + 1]; j++) {
                    pairs += mark(graph.children[j], v);
                }
                steps += graph.degree(child);
            }
        }
        return pairs;
    }

    /** 1 if this pair of parent and child is new, else 0. */
    private int mark(int child, int parent) {
        if (lastParent[child] == parent) {
            return 0;
        }
        lastParent[child] = parent;
        return 1;
    }
}
