package org.metasched.dag.run;

import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Nodes whose jobs may be submitted, by priority. Of equal ones, first those put in front, newest first, then the others, oldest first. */
final class ReadyQueue {

    private final TreeSet<RunNode> nodes = new TreeSet<>(
            Comparator.<RunNode>comparingInt(node -> node.node().rules().priority())
                    .reversed()
                    .thenComparingLong(RunNode::order));
    private long count;

    void put(RunNode node, boolean inFront) {
        count++;
        node.order = inFront ? -count : count;
        nodes.add(node);
    }

    /** Takes the first node that may go, if there is one. */
    Optional<RunNode> takeFirst(Predicate<RunNode> mayGo) {
        Optional<RunNode> first = nodes.stream().filter(mayGo).findFirst();
        first.ifPresent(nodes::remove);
        return first;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    void clear() {
        nodes.clear();
    }
}
