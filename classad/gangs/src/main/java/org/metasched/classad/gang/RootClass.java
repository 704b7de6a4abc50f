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

    private int roots;
    private int epoch;
    private boolean exhausted;
    private final int[] cursors;
    private final BitSet[] nogoods;

    RootClass(GangPool pool, List<PortClass> ports, boolean ranksGangs) {
        this.pool = pool;
        this.ports = ports.toArray(PortClass[]::new);
        this.needsEvaluation =
                ranksGangs || ports.stream().anyMatch(port -> !port.indexable || port.rankedByEvaluation);
        this.epoch = pool.available.epoch;
        this.cursors = new int[ports.size()];
        this.nogoods = new BitSet[ports.size()];
    }

    /** Whether a port ranks its values. */
    boolean isRanked() {
        return Arrays.stream(ports).anyMatch(port -> port.order != null || port.rankedByEvaluation);
    }

    /** Says that so many more roots are of this class. */
    void expect(int moreRoots) {
        roots += moreRoots;
        for (PortClass port : ports) {
            port.expect(moreRoots);
        }
    }

    boolean isShared() {
        return roots > 1;
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
        PartialBinding binding = ports[port].unbound;
        var attributes = new HashSet<>(binding.attributes());
        for (int other = 0; other < ports.length; other++) {
            if (other != port) {
                attributes.addAll(ports[other].dependsOn(port));
            }
        }
        return pool.index.classes(attributes, binding.demanded());
    }

    /** Classes of a port's values in no gang any more, if the port is the first to be bound; null if none is known. */
    @Nullable
    BitSet nogoods(int port) {
        keepUp();
        return nogoods[port];
    }

    /** Adds a class of values to the {@linkplain #nogoods nogoods} of a port and returns them. */
    BitSet addNogood(int port, int valueClass) {
        keepUp();
        BitSet classes = nogoods[port];
        if (classes == null) {
            classes = new BitSet();
            nogoods[port] = classes;
        }
        classes.set(valueClass);
        return classes;
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
        if (epoch != pool.available.epoch) {
            epoch = pool.available.epoch;
            exhausted = false;
            Arrays.fill(cursors, 0);
            Arrays.fill(nogoods, null);
        }
    }
}
