package org.metasched.slots;

import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/**
 * The nodes of a site over time, and what is taken of them. A {@link NodeProfile} chooses nodes when a reservation is planned. Another plan
 * may choose them when the reservation begins; of its sets only the number of nodes counts.
 *
 * <p>Sets of nodes are {@link BitSet}s over {@link #nodes()}, never kept and never changed here.
 */
public interface NodePlan {

    /** All nodes. The bit {@code i} of a set stands for the node at index {@code i}. Immutable. */
    List<ComputeNode> nodes();

    /** The set of all nodes, free or not; a new set for each call. */
    default BitSet all() {
        var all = new BitSet(nodes().size());
        all.set(0, nodes().size());
        return all;
    }

    /**
     * The nodes that {@linkplain ComputeNode#suits suit} a request, free or not. {@code O(N)} and the size of their properties.
     *
     * @param coresPerNode cores wanted on each node
     * @param properties names that each node must have
     */
    default BitSet suiting(int coresPerNode, Set<String> properties) {
        var suiting = new BitSet(nodes().size());
        for (int i = 0; i < nodes().size(); i++) {
            suiting.set(i, nodes().get(i).suits(coresPerNode, properties));
        }
        return suiting;
    }

    /**
     * The set of the nodes with these names. Unknown names are left out.
     *
     * @throws IllegalStateException when nodes have no names before they are used
     */
    BitSet named(Collection<String> names);

    /** The names of a set of nodes, in the order of {@link #nodes()}; empty when nodes have no names before they are used. */
    List<String> names(BitSet set);

    /** The plan as a request sees it that can use the eligible nodes only. A view: it follows later changes. */
    AvailabilityProfile among(BitSet eligible);

    /**
     * Chooses nodes that are free throughout the slot. Takes none.
     *
     * @return empty when fewer than {@code count} of the eligible nodes are free
     */
    Optional<BitSet> choose(int count, TimeSlot slot, BitSet eligible);

    /** Takes nodes for a slot, all or none. */
    void take(BitSet set, TimeSlot slot);

    /** Gives nodes back: the inverse of {@link #take} with the same arguments. */
    void giveBack(BitSet set, TimeSlot slot);

    /** Forgets the past: before the instant, the same nodes are free as at the instant. */
    void forgetBefore(Instant instant);
}
