package org.metasched.dag.run;

import java.util.List;

/**
 * Arcs from each of some parents to each of some children, all weak or none. A child may start when all parents of each {@code RunArcs}
 * to it are satisfied: have ended, and without an error unless the arcs are weak. Memory: O(parents + children). Belongs to the thread of
 * its {@link DagRun}.
 */
final class RunArcs {

    private final List<RunNode> parents;
    private final List<RunNode> children;
    final boolean isWeak;
    /** The number of parents that are not satisfied. */
    private int waiting;

    private boolean isFutile;

    RunArcs(List<RunNode> parents, List<RunNode> children, boolean isWeak) {
        this.parents = parents;
        this.children = children;
        this.isWeak = isWeak;
        this.waiting = parents.size();
    }

    /** Makes the arcs known to their nodes. */
    void connect() {
        if (!parents.isEmpty() && !children.isEmpty()) {
            parents.forEach(parent -> parent.arcs.add(this));
            children.forEach(child -> child.waitsFor++);
        }
    }

    /** Notes that one more parent is satisfied. The last one frees the children, which are returned; before it there are none. */
    List<RunNode> parentSatisfied() {
        waiting--;
        if (waiting > 0) {
            return List.of();
        }
        children.forEach(child -> child.waitsFor--);
        return children;
    }

    /** The children when this is called first, and nothing after that; see {@link RunNode#becomeFutile}. */
    List<RunNode> toBecomeFutile() {
        boolean isFirst = !isFutile;
        isFutile = true;
        return isFirst ? children : List.of();
    }
}
