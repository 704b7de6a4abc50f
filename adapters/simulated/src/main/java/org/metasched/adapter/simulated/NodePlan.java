package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;
import org.metasched.slots.Node;

/**
 * The nodes of a site over time: what local jobs and reservations take of them. Not thread-safe.
 *
 * <p>{@link NamedNodes} chooses nodes when a place is planned. {@link CountedNodes} chooses them when it begins, so that a set
 * of nodes says only how many there are.
 */
sealed interface NodePlan permits NamedNodes, CountedNodes {

    List<Node> nodes();

    default BitSet all() {
        var all = new BitSet(nodes().size());
        all.set(0, nodes().size());
        return all;
    }

    default BitSet suiting(int cores, Set<String> properties) {
        var suiting = new BitSet(nodes().size());
        for (int i = 0; i < nodes().size(); i++) {
            suiting.set(i, nodes().get(i).suits(cores, properties));
        }
        return suiting;
    }

    /** @throws IllegalStateException when nodes have no names before they are used */
    BitSet named(Collection<String> names);

    /** Empty when nodes have no names before they are used. */
    List<String> names(BitSet set);

    AvailabilityProfile among(BitSet eligible);

    Optional<BitSet> choose(int count, TimeSlot slot, BitSet eligible);

    void take(BitSet set, TimeSlot slot);

    void giveBack(BitSet set, TimeSlot slot);

    void forgetBefore(Instant instant);
}
