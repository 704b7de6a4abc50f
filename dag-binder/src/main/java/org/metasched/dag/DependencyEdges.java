package org.metasched.dag;

/** Dependencies by number: a parent and its child. Not thread-safe. */
final class DependencyEdges extends FlatRows {

    DependencyEdges() {
        super(2);
    }

    void add(int parent, int child) {
        append(parent);
        append(child);
    }

    int parent(int edge) {
        return field(edge, 0);
    }

    int child(int edge) {
        return field(edge, 1);
    }

    /** Adds all edges of another scope under the numbers that its nodes have here. */
    void addAll(DependencyEdges others, int[] numbers) {
        int count = others.size();
        for (int edge = 0; edge < count; edge++) {
            add(numbers[others.parent(edge)], numbers[others.child(edge)]);
        }
    }

    /** Gives every node another number. */
    void renumber(int[] numbers) {
        int count = size();
        for (int edge = 0; edge < count; edge++) {
            setField(edge, 0, numbers[parent(edge)]);
            setField(edge, 1, numbers[child(edge)]);
        }
    }
}
