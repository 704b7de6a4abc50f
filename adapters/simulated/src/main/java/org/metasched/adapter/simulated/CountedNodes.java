package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;
import org.metasched.slots.ComputeNode;
import org.metasched.slots.CountProfile;
import org.metasched.slots.NodePlan;

/**
 * Interchangeable nodes: a place in the plan holds a number of them, none by name. Nodes are chosen when a place begins, and then enough
 * are free: at every instant the plan gives away no more than the machine has, and a place keeps its nodes to its end. So the count alone
 * is exact, and a plan is never worse than one that names nodes in advance.
 */
final class CountedNodes implements NodePlan {

    private final List<ComputeNode> nodes;
    private final CountProfile profile;

    CountedNodes(List<ComputeNode> nodes) {
        this.nodes = List.copyOf(nodes);
        this.profile = new CountProfile(nodes.size());
    }

    @Override
    public List<ComputeNode> nodes() {
        return nodes;
    }

    @Override
    public BitSet named(Collection<String> names) {
        throw new IllegalStateException(
                "The nodes " + names + " cannot be told apart: this site names nodes when a job starts only.");
    }

    @Override
    public List<String> names(BitSet set) {
        return List.of();
    }

    @Override
    public AvailabilityProfile among(BitSet eligible) {
        return eligible.isEmpty() ? new CountProfile(0) : profile;
    }

    @Override
    public Optional<BitSet> choose(int count, TimeSlot slot, BitSet eligible) {
        if (eligible.isEmpty() || profile.leastFree(slot) < count) {
            return Optional.empty();
        }
        var some = new BitSet(count);
        some.set(0, count);
        return Optional.of(some);
    }

    @Override
    public void take(BitSet set, TimeSlot slot) {
        profile.take(set.cardinality(), slot);
    }

    @Override
    public void giveBack(BitSet set, TimeSlot slot) {
        profile.giveBack(set.cardinality(), slot);
    }

    /** Does nothing: the past costs only memory, two changes of the profile for each place. */
    @Override
    public void forgetBefore(Instant instant) {}
}
