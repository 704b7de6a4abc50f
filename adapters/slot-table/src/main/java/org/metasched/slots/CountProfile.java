package org.metasched.slots;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * Free units over time, all interchangeable. With {@code n} changes of capacity, {@code take}, {@code giveBack} and {@code leastFree} cost
 * {@code O(log n)}, and so does {@code earliestStart} for the amounts 1, 2, 3, 4, 6, 8, 12 …; for an amount between two of these it costs
 * that again for each stretch that suffices only for the lower one. {@code starts} costs {@code O(log n)} and the number of segments
 * within.
 *
 * <p>A tree of wide nodes over blocks of segments ("blocked skyline"). Trees that know only the least and the most free units of a stretch
 * do not find an earliest start in logarithmic time: they visit each gap that is too short. So the spans also store the lengths of their
 * runs. Rejected: a balanced tree of single segments (6 times slower to fill).
 *
 * <p>Not thread-safe, not even for reading.
 */
public final class CountProfile implements AvailabilityProfile {

    /** Leaves that are read segment by segment before the summaries are used: most answers are near. */
    private static final int PATIENCE = 3;

    private final int capacity;
    ProfileSpan root;

    /**
     * A profile with all units free at all times.
     *
     * @param capacity units, at least 0
     * @throws IllegalArgumentException when the capacity is negative
     */
    public CountProfile(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("The capacity (" + capacity + ") must not be negative.");
        }
        this.capacity = capacity;
        this.root =
                new LeafSpan(RunLevels.at(Math.max(1, capacity)) + 1, InstantTicks.BEGIN, InstantTicks.END, capacity);
    }

    /**
     * Takes units for a slot. More may be taken than are free: a site with broken nodes has promised too much.
     * {@code O(log n)}.
     *
     * @param amount units, at least 1
     * @throws IllegalArgumentException when the amount is below 1
     */
    public void take(int amount, TimeSlot slot) {
        add(-atLeastOne(amount), slot);
    }

    /**
     * Gives units back: the inverse of {@link #take} with the same arguments. {@code O(log n)}.
     *
     * @param amount units, at least 1
     * @throws IllegalArgumentException when the amount is below 1
     */
    public void giveBack(int amount, TimeSlot slot) {
        add(atLeastOne(amount), slot);
    }

    private void add(int delta, TimeSlot slot) {
        add(delta, InstantTicks.of(slot.start()), InstantTicks.of(slot.end()));
    }

    /** Adds to every instant of {@code [from, to)}, in ticks. {@code O(log n)}. */
    void add(int delta, long from, long to) {
        if (from >= to) {
            return;
        }
        var right = root.add(from, to, delta);
        if (right != null) {
            root = new BranchSpan(root, right);
        } else {
            root = root.withoutNeedlessBranch();
        }
    }

    @Override
    public int leastFree(TimeSlot slot) {
        long from = InstantTicks.of(slot.start());
        return root.leastIn(from, Math.max(from + 1, InstantTicks.of(slot.end())));
    }

    @Override
    public Optional<Instant> earliestStart(int amount, Duration length, Instant notBefore, Instant latestStart) {
        if (atLeastOne(amount) > capacity || notBefore.isAfter(latestStart)) {
            return Optional.empty();
        }
        long from = InstantTicks.of(notBefore);
        long found = earliestFit(amount, InstantTicks.of(length), from, InstantTicks.of(latestStart));
        return found == FitSearch.NONE ? Optional.empty() : Optional.of(InstantTicks.instant(found, notBefore));
    }

    /**
     * The first start in ticks, or {@link FitSearch#NONE}; the amount is at least 1. After a few leaves the search goes on by the lengths of
     * runs, which are known for the level at or below the amount only: a start for the level is then checked for the amount.
     */
    long earliestFit(int amount, long length, long notBefore, long latest) {
        if (amount > capacity) {
            return FitSearch.NONE;
        }
        int level = RunLevels.at(amount);
        long from = notBefore;
        while (true) {
            var near = new FitSearch(amount, length, from, latest);
            near.patience = PATIENCE;
            root.fit(near, ProfileSpan.NO_LEVEL);
            if (near.stoppedAt == FitSearch.NONE) {
                return near.found;
            }
            var far = new FitSearch(RunLevels.amount(level), length, near.stoppedAt, latest);
            far.patience = Integer.MAX_VALUE;
            root.fit(far, level);
            if (far.found == FitSearch.NONE || far.amount == amount) {
                return far.found;
            }
            from = far.found;
        }
    }

    private record Difference(long from, long to, int free) {}

    /** Forgets the past: before the tick, as much is free as at the tick. {@code O(k log n)} for {@code k} segments before it. */
    void forgetBefore(long tick) {
        int now = root.leastIn(tick, tick + 1);
        var past = new ArrayList<Difference>();
        root.visit(
                InstantTicks.BEGIN,
                tick,
                (from, to, free) -> past.add(new Difference(from, Math.min(to, tick), now - free)));
        past.stream().filter(part -> part.free != 0).forEach(part -> add(part.free, part.from, part.to));
    }

    @Override
    public List<StartInterval> starts(int amount, Duration length, TimeSlot within) {
        atLeastOne(amount);
        var starts = new ArrayList<StartInterval>();
        long span = InstantTicks.of(length);
        var runs = new Runs(amount, InstantTicks.of(within.start()), InstantTicks.of(within.end()), span, starts);
        long to = InstantTicks.END - span < InstantTicks.of(within.end())
                ? InstantTicks.END
                : InstantTicks.of(within.end()) + span;
        root.visit(InstantTicks.of(within.start()), to, runs);
        runs.close();
        return starts;
    }

    static int atLeastOne(int amount) {
        if (amount < 1) {
            throw new IllegalArgumentException("The amount (" + amount + ") must be at least 1.");
        }
        return amount;
    }

    /** Collects the runs that are long enough as intervals of starts. */
    private static final class Runs implements ProfileSpan.Segments {
        private final int amount;
        private final long earliest;
        private final long latest;
        private final long length;
        private final List<StartInterval> starts;
        private long open = FitSearch.NONE;
        private long reached;

        Runs(int amount, long earliest, long latest, long length, List<StartInterval> starts) {
            this.amount = amount;
            this.earliest = earliest;
            this.latest = latest;
            this.length = length;
            this.starts = starts;
        }

        @Override
        public void segment(long from, long to, int free) {
            if (free < amount) {
                close();
            } else if (open == FitSearch.NONE) {
                open = Math.max(from, earliest);
            }
            reached = to;
        }

        void close() {
            long last = Math.min(latest, reached - length);
            if (open != FitSearch.NONE && open <= last) {
                starts.add(new StartInterval(InstantTicks.instant(open), InstantTicks.instant(last)));
            }
            open = FitSearch.NONE;
        }
    }
}
