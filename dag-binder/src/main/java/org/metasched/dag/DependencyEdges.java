package org.metasched.dag;

/** Dependencies by number, a parent and its child: 8 bytes each and no object. Not thread-safe. */
final class DependencyEdges {

    /** The parent and the child of each edge, one after the other. */
    private final IntList items = new IntList();

    int size() {
        return items.size() / 2;
    }

    void add(int parent, int child) {
        items.add(parent);
        items.add(child);
    }

    int parent(int edge) {
        return items.get(2 * edge);
    }

    int child(int edge) {
        return items.get(2 * edge + 1);
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
        for (int i = 0; i < items.size(); i++) {
            items.set(i, numbers[items.get(i)]);
        }
    }
}
