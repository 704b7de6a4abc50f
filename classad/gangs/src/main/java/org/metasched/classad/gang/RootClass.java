package org.metasched.classad.gang;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;

/**
 * An equivalence class of roots: roots whose ports are of the same {@linkplain PortClass classes} have the same domains. A value that a
 * search for one of them has refuted is a nogood for the others too, as long as offers are only removed. Belongs to a pool; not
 * thread-safe.
 */
final class RootClass {

    private final GangPool pool;
    final PortClass[] ports;
    /** Whether a search for a gang needs {@link EvaluatedDomains}. */
    boolean needsEvaluation;

    /** The last port that ranks its values by an order that the index knows, or -1. */
    final int lastRanked;

    private final boolean ranksGangs;

    private int epoch = -1;
    /** Whether no gang is left for roots of this class in this epoch. */
    private boolean exhausted;
    /** For each port the place of the first value that is no nogood, and the classes of nogoods. */
    private final int[] cursors;

    private final BitSet[] nogoods;

    RootClass(GangPool pool, List<PortClass> ports, boolean ranksGangs) {
        this.pool = pool;
        this.ports = ports.toArray(PortClass[]::new);
        this.ranksGangs = ranksGangs;
        this.needsEvaluation =
                ranksGangs || ports.stream().anyMatch(port -> !port.indexable || port.rankedByEvaluation);
        this.lastRanked = IntStream.range(0, ports.size())
                .filter(port -> ports.get(port).order != null)
                .reduce(-1, Math::max);
        this.cursors = new int[ports.size()];
        this.nogoods = new BitSet[ports.size()];
    }

    /** Whether the root ranks its gangs, or a port its values. */
    boolean isRanked() {
        return ranksGangs || lastRanked >= 0 || Arrays.stream(ports).anyMatch(port -> port.rankedByEvaluation);
    }

    /** Whether no gang is left for roots of this class. */
    boolean isExhausted() {
        beginNewEpoch();
        return exhausted;
    }

    /** Records that no gang is left for roots of this class in this epoch. */
    void exhaust() {
        beginNewEpoch();
        exhausted = true;
    }

    /** The classes of a port's values that are interchangeable while all ports are open; null if any two may differ. */
    @Nullable
    EquivalenceClasses interchangeable(int port) {
        var attributes = new HashSet<String>();
        for (PortClass portClass : ports) {
            attributes.addAll(portClass.attributesReadOf(port));
        }
        return pool.index.classes(attributes, ports[port].unbound.demanded());
    }

    /** Classes of a port's values in no gang any more, if the port is the first to be bound; more may be added. */
    BitSet nogoods(int port) {
        beginNewEpoch();
        return nogoods[port];
    }

    /** The place in the port's order of the first value that is no nogood, if the port is the first to be bound. */
    int cursor(int port) {
        beginNewEpoch();
        return cursors[port];
    }

    /** Records that all values of a port before a place are nogoods. */
    void moveCursor(int port, int place) {
        cursors[port] = place;
    }

    private void beginNewEpoch() {
        if (epoch != pool.epoch) {
            epoch = pool.epoch;
            exhausted = false;
            Arrays.fill(cursors, 0);
            Arrays.setAll(nogoods, port -> new BitSet());
        }
    }
}
