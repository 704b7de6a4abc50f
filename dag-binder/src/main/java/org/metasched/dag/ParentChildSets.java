package org.metasched.dag;

/**
 * Dependencies as written: the names of the parents and of the children of each PARENT line, each as the number that its scope gives it.
 * The number of such a set is the index at which it begins; {@link #next} gives the number of the set after it. Not thread-safe.
 */
final class ParentChildSets {

    private static final int FILE = 0;
    private static final int LINE = 1;
    private static final int PARENTS = 2;
    private static final int CHILDREN = 3;
    private static final int HEAD = 4;

    private final IntList items = new IntList();

    /** Begins a set of parents and children, and returns its number; its names follow, the parents first. */
    int begin(int file, int line) {
        int set = items.size();
        items.add(file);
        items.add(line);
        items.add(0);
        items.add(0);
        return set;
    }

    void add(int name) {
        items.add(name);
    }

    /** Ends the set that was begun last; the names after those of the parents are the children. */
    void end(int set, int parentCount) {
        items.set(set + PARENTS, parentCount);
        items.set(set + CHILDREN, items.size() - set - HEAD - parentCount);
    }

    /** Forgets the set that was begun last. */
    void drop(int set) {
        items.setSize(set);
    }

    void clear() {
        items.setSize(0);
    }

    /** Whether a number, 0 or one got from {@link #next}, is that of a set and not the end. */
    boolean has(int set) {
        return set < items.size();
    }

    int next(int set) {
        return to(set, false);
    }

    int file(int set) {
        return items.get(set + FILE);
    }

    int line(int set) {
        return items.get(set + LINE);
    }

    int parentCount(int set) {
        return items.get(set + PARENTS);
    }

    int childCount(int set) {
        return items.get(set + CHILDREN);
    }

    /** The index of the first name of the parents, or of the children. */
    int from(int set, boolean asParents) {
        return set + HEAD + (asParents ? 0 : parentCount(set));
    }

    /** The index behind the last of these names. */
    int to(int set, boolean asParents) {
        return set + HEAD + parentCount(set) + (asParents ? 0 : childCount(set));
    }

    /** The name at an index between {@link #from} and {@link #to}. */
    int name(int at) {
        return items.get(at);
    }
}
