package org.metasched.classad.gang;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;

/**
 * An equivalence class of roots: roots whose ports are of the same {@linkplain PortClass classes} have the same domains. What a search
 * for one of them has refuted is a nogood for the others, too, as long as offers are only removed. Belongs to a pool; not
 * thread-safe.
 */
final class RootClass {

    private final GangPool pool;
    private final PortClass[] ports;
    /** Whether a search for a gang needs {@link EvaluatedDomains}. */
    boolean needsEvaluation;

    private int epoch;
    private boolean exhausted;
    private final int[] cursors;
    private final BitSet[] nogoods;

    RootClass(GangPool pool, List<PortClass> ports, boolean ranksGangs) {
        this.pool = pool;
        this.ports = ports.toArray(PortClass[]::new);
        this.needsEvaluation =
                ranksGangs || ports.stream().anyMatch(port -> !port.indexable || port.rankedByEvaluation);
        this.epoch = pool.epoch;
        this.cursors = new int[ports.size()];
        this.nogoods = new BitSet[ports.size()];
        Arrays.setAll(nogoods, port -> new BitSet());
    }

    /** Whether a port ranks its values. */
    boolean isRanked() {
        return Arrays.stream(ports).anyMatch(port -> port.order != null || port.rankedByEvaluation);
    }

    /** Says that so many more roots are of this class. */
    void expect(int moreRoots) {
        for (PortClass port : ports) {
            port.expect(moreRoots);
        }
    }

    int size() {
        return ports.length;
    }

    PortClass port(int port) {
        return ports[port];
    }

    /** Whether no gang is left for roots of this class. */
    boolean isExhausted() {
        keepUp();
        return exhausted;
    }

    void exhaust() {
        keepUp();
        exhausted = true;
    }

    /** The classes of a port's values that are interchangeable while all ports are open; null if any two may differ. */
    @Nullable
    EquivalenceClasses interchangeable(int port) {
        PortClass.PartialBinding binding = ports[port].unbound;
        var attributes = new HashSet<>(binding.attributes());
        for (int other = 0; other < ports.length; other++) {
            if (other != port) {
                attributes.addAll(ports[other].dependsOn(port));
            }
        }
        return pool.index.classes(attributes, binding.demanded());
    }

    /** Classes of a port's values in no gang any more, if the port is the first to be bound; more may be added. */
    BitSet nogoods(int port) {
        keepUp();
        return nogoods[port];
    }

    /** The place in the port's order of the first value that is no nogood, if the port is the first to be bound. */
    int cursor(int port) {
        keepUp();
        return cursors[port];
    }

    void moveCursor(int port, int place) {
        cursors[port] = place;
    }

    private void keepUp() {
        if (epoch != pool.epoch) {
            epoch = pool.epoch;
            exhausted = false;
            Arrays.fill(cursors, 0);
            Arrays.setAll(nogoods, port -> new BitSet());
        }
    }
}
