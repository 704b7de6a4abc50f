package org.metasched.dag;

/**
 * Dependencies as written: the names of the parents and of the children of each line, as numbers of the scope. A family is named by
 * the place where it begins; {@link #next} leads from one to the next. Not thread-safe.
 */
final class Families {

    private static final int FILE = 0;
    private static final int LINE = 1;
    private static final int PARENTS = 2;
    private static final int CHILDREN = 3;
    private static final int HEAD = 4;

    private final IntList items = new IntList();

    /** Begins a family; its names follow, the parents first. */
    int begin(int file, int line) {
        int family = items.size();
        items.add(file);
        items.add(line);
        items.add(0);
        items.add(0);
        return family;
    }

    void add(int name) {
        items.add(name);
    }

    /** Ends the family that was begun last; the names after those of the parents are the children. */
    void end(int family, int parents) {
        items.set(family + PARENTS, parents);
        items.set(family + CHILDREN, items.size() - family - HEAD - parents);
    }

    /** Forgets the family that was begun last. */
    void drop(int family) {
        items.setSize(family);
    }

    /** Whether there is a family; the first one is 0. */
    boolean has(int family) {
        return family < items.size();
    }

    int next(int family) {
        return to(family, false);
    }

    int file(int family) {
        return items.get(family + FILE);
    }

    int line(int family) {
        return items.get(family + LINE);
    }

    int parents(int family) {
        return items.get(family + PARENTS);
    }

    int children(int family) {
        return items.get(family + CHILDREN);
    }

    /** Where the names of one side begin. */
    int from(int family, boolean asParents) {
        return family + HEAD + (asParents ? 0 : parents(family));
    }

    /** Where they end. */
    int to(int family, boolean asParents) {
        return family + HEAD + parents(family) + (asParents ? 0 : children(family));
    }

    int name(int at) {
        return items.get(at);
    }
}
