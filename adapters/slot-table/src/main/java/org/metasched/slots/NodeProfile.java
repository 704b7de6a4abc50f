package org.metasched.slots;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * The nodes that are free over time. A reservation needs nodes that stay the same from its start to its end, so it is not enough that each
 * instant has enough free ones: the set of free nodes is kept for each segment, and a question ANDs the segments of its slot.
 *
 * <p>With {@code n} segments and {@code N} nodes: a change of {@code k} segments costs {@code O((k / 64 + 64) N / 64 + log n)}, a question
 * {@code O(N / 64)} for each segment it looks at. {@code starts} looks at each segment twice at most; {@code earliestStart} passes blocks
 * of 64 at once, but looks again at segments of overlapping windows. Both skip a stretch with too few free nodes of any kind in
 * {@code O(log n)}. {@link CountProfile} is several times faster where nodes need not stay the same.
 *
 * <p>Sets of nodes are {@link BitSet}s over {@link #nodes()}, never kept and never changed here. Instants as in
 * {@link AvailabilityProfile}. Not thread-safe, not even for reading.
 */
public final class NodeProfile implements NodePlan {

    private final List<ComputeNode> nodes;
    private final Map<String, Integer> indexOf = new HashMap<>();
    private final int words;
    final NodeTimeline line;

    /**
     * A profile with all nodes free at all times.
     *
     * @param nodes all different by name; their order is the order in which {@link #choose} takes them
     * @throws IllegalArgumentException when two nodes have the same name
     */
    public NodeProfile(List<ComputeNode> nodes) {
        this(nodes, Map.of());
    }

    /**
     * A profile that is read from a scheduler, where a running job and the reservation it runs in hold the same node. Costs
     * {@code O(n N / 64)} for {@code n} instants at which a span begins or ends, and {@code O(log n)} for each node of a span.
     *
     * @param closed the names of the nodes that are not free in each span; unknown ones are left out
     * @throws IllegalArgumentException when two nodes have the same name
     */
    public NodeProfile(List<ComputeNode> nodes, Map<TimeSlot, ? extends Collection<String>> closed) {
        this.nodes = List.copyOf(nodes);
        for (int i = 0; i < nodes.size(); i++) {
            if (indexOf.put(nodes.get(i).name(), i) != null) {
                throw new IllegalArgumentException("Node " + nodes.get(i).name() + " is listed twice.");
            }
        }
        words = Math.max(1, (nodes.size() + 63) / 64);
        line = new NodeTimeline(nodes.size(), Arrays.copyOf(all().toLongArray(), words));
        var changes = new TreeMap<Long, List<Integer>>();
        closed.forEach((slot, names) -> {
            var closedNodes = changes.computeIfAbsent(InstantTicks.of(slot.start()), begin -> new ArrayList<>());
            named(names).stream().forEach(node -> {
                closedNodes.add(node);
                changes.computeIfAbsent(InstantTicks.of(slot.end()), end -> new ArrayList<>())
                        .add(~node);
            });
        });
        append(changes);
    }

    /**
     * Appends the segments of the spans.
     *
     * @param changes changed nodes by tick: the index of a node when a span begins to close it, the complement of the index when a span ends
     */
    private void append(SortedMap<Long, List<Integer>> changes) {
        var spans = new int[nodes.size()];
        var free = all();
        changes.headMap(InstantTicks.END).forEach((instant, changed) -> {
            for (int change : changed) {
                int node = change < 0 ? ~change : change;
                spans[node] += change < 0 ? -1 : 1;
                free.set(node, spans[node] == 0);
            }
            line.append(instant, Arrays.copyOf(free.toLongArray(), words), free.cardinality() - nodes.size());
        });
        line.endAppending();
    }

    @Override
    public List<ComputeNode> nodes() {
        return nodes;
    }

    /** The set of the nodes with these names. Unknown names are left out. {@code O(1)} for each name. */
    @Override
    public BitSet named(Collection<String> names) {
        var named = new BitSet(nodes.size());
        for (String name : names) {
            Integer index = indexOf.get(name);
            if (index != null) {
                named.set(index);
            }
        }
        return named;
    }

    /** The names of a set of nodes, in the order of {@link #nodes()}. */
    @Override
    public List<String> names(BitSet set) {
        return set.stream().mapToObj(i -> nodes.get(i).name()).toList();
    }

    /**
     * Takes nodes for a slot, all or none.
     *
     * @throws IllegalArgumentException when a node is not free for the whole slot; nothing is taken then
     */
    @Override
    public void take(BitSet set, TimeSlot slot) {
        var missing = (BitSet) set.clone();
        missing.andNot(freeThroughout(slot, set));
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "The nodes " + names(missing) + " are not free from " + slot.start() + " to " + slot.end() + ".");
        }
        change(set, slot, false);
    }

    /**
     * Gives nodes back: the inverse of {@link #take} with the same arguments.
     *
     * @throws IllegalArgumentException when the set holds a node that does not exist
     */
    @Override
    public void giveBack(BitSet set, TimeSlot slot) {
        change(set, slot, true);
    }

    /**
     * The nodes that are free at every instant of the slot; a new set. {@code O(k N / 4096)} for {@code k} segments in it,
     * and some dozens of segments at both ends.
     */
    public BitSet freeThroughout(TimeSlot slot) {
        return freeThroughout(slot, all());
    }

    private BitSet freeThroughout(TimeSlot slot, BitSet among) {
        long[] common = Arrays.copyOf(among.toLongArray(), words);
        line.freeThroughout(InstantTicks.of(slot.start()), InstantTicks.of(slot.end()), common);
        return BitSet.valueOf(common);
    }

    /**
     * Chooses nodes that are free throughout the slot: the first ones in the order of {@link #nodes()}. Takes none.
     *
     * @param count nodes, at least 1
     * @param eligible the nodes to choose from
     * @return empty when fewer than {@code count} of the eligible nodes are free throughout
     */
    @Override
    public Optional<BitSet> choose(int count, TimeSlot slot, BitSet eligible) {
        var chosen = freeThroughout(slot, eligible);
        if (chosen.cardinality() < count) {
            return Optional.empty();
        }
        int last = -1;
        for (int i = 0; i < count; i++) {
            last = chosen.nextSetBit(last + 1);
        }
        chosen.clear(last + 1, Math.max(last + 1, chosen.length()));
        return Optional.of(chosen);
    }

    /**
     * The profile as a request sees it that can use the eligible nodes only. A view: it follows later changes. A question costs {@code O(N
     * / 64)} for each segment that it reads; segments with too few free nodes are skipped, and {@code earliestStart} stops at its answer.
     *
     * @param eligible copied
     */
    @Override
    public AvailabilityProfile among(BitSet eligible) {
        return new Among(Arrays.copyOf(eligible.toLongArray(), words));
    }

    /** Forgets the past: before the instant, the same nodes are free as at the instant. {@code O(n / 64)} and the forgotten segments. */
    @Override
    public void forgetBefore(Instant instant) {
        line.forgetBefore(InstantTicks.of(instant));
    }

    private void change(BitSet set, TimeSlot slot, boolean nowFree) {
        long from = InstantTicks.of(slot.start());
        long to = InstantTicks.of(slot.end());
        if (set.length() > nodes.size()) {
            throw new IllegalArgumentException(
                    "Node number " + (set.length() - 1) + " does not exist; there are " + nodes.size() + ".");
        }
        if (from < to && !set.isEmpty()) {
            line.change(Arrays.copyOf(set.toLongArray(), words), from, to, nowFree);
        }
    }

    /** The questions of {@link AvailabilityProfile}, for some of the nodes. */
    private final class Among implements AvailabilityProfile {
        private final long[] eligible;

        Among(long[] eligible) {
            this.eligible = eligible;
        }

        @Override
        public int leastFree(TimeSlot slot) {
            return freeThroughout(slot, BitSet.valueOf(eligible)).cardinality();
        }

        @Override
        public Optional<Instant> earliestStart(int amount, Duration length, Instant notBefore, Instant latestStart) {
            if (CountProfile.atLeastOne(amount) > nodes.size() || notBefore.isAfter(latestStart)) {
                return Optional.empty();
            }
            long from = InstantTicks.of(notBefore);
            long found = new FirstCommonNodes(line, eligible, amount, InstantTicks.of(length))
                    .find(from, InstantTicks.of(latestStart));
            return found == FitSearch.NONE ? Optional.empty() : Optional.of(InstantTicks.instant(found, notBefore));
        }

        @Override
        public List<StartInterval> starts(int amount, Duration length, TimeSlot within) {
            CountProfile.atLeastOne(amount);
            return new CommonNodeRuns(line, eligible)
                    .starts(amount, InstantTicks.of(length), within.start(), within.end());
        }
    }
}
