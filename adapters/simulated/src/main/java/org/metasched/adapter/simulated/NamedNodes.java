package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;
import org.metasched.slots.Node;
import org.metasched.slots.NodeProfile;

/** Nodes that may differ, and break: a place names its nodes when it is planned, and keeps them. */
record NamedNodes(NodeProfile profile) implements NodePlan {

    @Override
    public List<Node> nodes() {
        return profile.nodes();
    }

    @Override
    public BitSet named(Collection<String> names) {
        return profile.named(names);
    }

    @Override
    public List<String> names(BitSet set) {
        return profile.names(set);
    }

    @Override
    public AvailabilityProfile among(BitSet eligible) {
        return profile.among(eligible);
    }

    @Override
    public Optional<BitSet> choose(int count, TimeSlot slot, BitSet eligible) {
        return profile.choose(count, slot, eligible);
    }

    @Override
    public void take(BitSet set, TimeSlot slot) {
        profile.take(set, slot);
    }

    @Override
    public void giveBack(BitSet set, TimeSlot slot) {
        profile.giveBack(set, slot);
    }

    @Override
    public void forgetBefore(Instant instant) {
        profile.forgetBefore(instant);
    }
}
