package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.NodeProfile;

/**
 * The local jobs that wait, first come, first served, with backfilling. Advance reservations are in the same plan, and no
 * job is planned over one.
 */
abstract sealed class LocalQueue permits ConservativeQueue, EasyQueue {

    private static final Duration FOREVER = Duration.ofDays(3650);

    final List<QueuedJob> waiting = new ArrayList<>();
    private final NodeProfile plan;
    private final Supplier<BitSet> usable;

    /** @param usable the nodes that local jobs may have and that are up */
    LocalQueue(NodeProfile plan, Supplier<BitSet> usable) {
        this.plan = plan;
        this.usable = usable;
    }

    abstract void add(QueuedJob job, Instant now);

    /** A job or a reservation has ended, and perhaps earlier than the plan said. */
    abstract void ended(Instant now, boolean early);

    /** Plans again after nodes have become free earlier than planned, or have broken. */
    abstract void replan(Instant now);

    /** Takes the jobs that begin now out of the queue. Each has its place, which stays in the plan. */
    final List<QueuedJob> start(Instant now) {
        var due = waiting.stream().filter(job -> job.isDue(now)).toList();
        waiting.removeAll(due);
        return due;
    }

    final Optional<Instant> nextStart() {
        return waiting.stream()
                .flatMap(job -> job.place().stream())
                .map(place -> place.slot().start())
                .min(Instant::compareTo);
    }

    final int size() {
        return waiting.size();
    }

    /** Gives the job the earliest place there is; none when too many nodes are down. */
    final void place(QueuedJob job, Instant now) {
        var nodes = usable.get();
        var start = plan.among(nodes).earliestStart(job.nodes, job.estimate, now, now.plus(FOREVER));
        job.placeAt(start.flatMap(begin -> placeIn(TimeSlot.of(begin, job.estimate), job.nodes, nodes)));
    }

    /** Gives the job a place that begins now, if there is one. */
    final boolean placeNow(QueuedJob job, Instant now) {
        job.placeAt(placeIn(TimeSlot.of(now, job.estimate), job.nodes, usable.get()));
        return job.place().isPresent();
    }

    private Optional<QueuedJob.Place> placeIn(TimeSlot slot, int count, BitSet nodes) {
        var chosen = plan.choose(count, slot, nodes);
        chosen.ifPresent(set -> plan.take(set, slot));
        return chosen.map(set -> new QueuedJob.Place(slot, set));
    }

    final void unplace(QueuedJob job) {
        job.place().ifPresent(place -> plan.giveBack(place.nodes(), place.slot()));
        job.placeAt(Optional.empty());
    }
}
