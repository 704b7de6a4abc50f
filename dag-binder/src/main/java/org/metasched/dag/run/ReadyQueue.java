package org.metasched.dag.run;

import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Nodes whose jobs may be submitted, by priority. Of equal ones, first those put in front, newest first, then the others, oldest first. */
final class ReadyQueue {

    private record Entry(RunNode node, long order) {}

    private final TreeSet<Entry> entries = new TreeSet<>(
            Comparator.<Entry>comparingInt(entry -> entry.node().node().rules().priority())
                    .reversed()
                    .thenComparingLong(Entry::order));
    private long count;

    void put(RunNode node, boolean inFront) {
        count++;
        entries.add(new Entry(node, inFront ? -count : count));
    }

    /** Takes the first node that may go, if there is one. */
    Optional<RunNode> takeFirst(Predicate<RunNode> mayGo) {
        Optional<Entry> first =
                entries.stream().filter(entry -> mayGo.test(entry.node())).findFirst();
        first.ifPresent(entries::remove);
        return first.map(Entry::node);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void clear() {
        entries.clear();
    }
}
