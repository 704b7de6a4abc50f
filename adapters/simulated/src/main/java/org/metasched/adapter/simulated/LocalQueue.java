package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.NodePlan;

/**
 * The local jobs that wait, first come, first served, with backfilling. Advance reservations are in the same plan, and no
 * job is planned over one. Whatever ends or arrives at one instant is followed by one {@link #pass}.
 */
abstract sealed class LocalQueue permits ConservativeQueue, HeadQueue {

    /** Latest planned start, seen from now. */
    private static final Duration FOREVER = Duration.ofDays(3650);
    /** Length of a slot that stands for the present; a slot cannot be empty. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    final List<QueuedJob> waiting = new ArrayList<>();
    private final NodePlan plan;
    private final Supplier<BitSet> usable;
    private BitSet eligible;
    private Optional<Instant> nextStart = Optional.empty();

    /** @param usable the nodes that local jobs may have and that are up */
    LocalQueue(NodePlan plan, Supplier<BitSet> usable) {
        this.plan = plan;
        this.usable = usable;
        this.eligible = new BitSet();
    }

    /** A job that has just been submitted; planned by the pass that follows. */
    final void add(QueuedJob job) {
        waiting.add(job);
    }

    /**
     * Plans the queue; removes and returns the jobs that begin now, whose places stay in the plan.
     *
     * @param freed whether nodes have become free that the plan knew as taken
     */
    final List<QueuedJob> pass(Instant now, boolean freed) {
        eligible = usable.get();
        plan(now, freed);
        var due = new ArrayList<QueuedJob>();
        nextStart = Optional.empty();
        waiting.removeIf(job -> {
            if (job.place.isEmpty()) {
                return false;
            }
            var start = job.place.get().slot().start();
            if (!start.isAfter(now)) {
                due.add(job);
                return true;
            }
            if (nextStart.isEmpty() || start.isBefore(nextStart.get())) {
                nextStart = Optional.of(start);
            }
            return false;
        });
        return due;
    }

    /** Gives jobs their places by the rule of the queue; see {@link #pass} for the parameters. */
    abstract void plan(Instant now, boolean freed);

    final Optional<Instant> nextStart() {
        return nextStart;
    }

    final int size() {
        return waiting.size();
    }

    /** Number of nodes that are free now, for a second at least. */
    final int freeNow(Instant now) {
        return plan.among(eligible).leastFree(TimeSlot.of(now, MOMENT));
    }

    /** Gives the job the earliest place; leaves it without one if too many nodes are down. */
    final void place(QueuedJob job, Instant now) {
        var start = plan.among(eligible).earliestStart(job.nodes(), job.estimate, now, now.plus(FOREVER));
        job.place = start.flatMap(begin -> placeIn(TimeSlot.of(begin, job.estimate), job.nodes()));
    }

    /** Gives the job a place that begins now, if there is one. */
    final boolean placeNow(QueuedJob job, Instant now) {
        job.place = placeIn(TimeSlot.of(now, job.estimate), job.nodes());
        return job.place.isPresent();
    }

    private Optional<QueuedJob.Place> placeIn(TimeSlot slot, int count) {
        var chosen = plan.choose(count, slot, eligible);
        chosen.ifPresent(set -> plan.take(set, slot));
        return chosen.map(set -> new QueuedJob.Place(slot, set));
    }

    final void unplace(QueuedJob job) {
        job.place.ifPresent(place -> plan.giveBack(place.nodes(), place.slot()));
        job.place = Optional.empty();
    }
}
