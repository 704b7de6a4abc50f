package org.metasched.slots;

import org.jspecify.annotations.Nullable;

/**
 * A stretch of a {@link CountProfile}, {@code [first, end)}: a {@link LeafSpan} of segments or a {@link BranchSpan} of spans. A span knows
 * its least and most free units, and, for each {@link RunLevels} amount used by a search since its last change, the lengths of the runs
 * with so many free units: at its head, at its tail, and the longest. Times are in ticks.
 */
abstract sealed class ProfileSpan permits LeafSpan, BranchSpan {

    static final int NO_LEVEL = -1;

    final int levels;
    final long first;
    /** The tick at which each part begins; a part is a segment of a leaf or a span of a branch. */
    final long[] begin;

    /** Number of parts. */
    int size;

    long end;
    int least;
    int most;

    private final int room;
    private long measuredLevels;
    private long[] runsOfLevels = {};

    /**
     * @param levels number of {@link RunLevels} up to the whole capacity
     * @param room the most parts between two changes
     */
    ProfileSpan(int levels, int room, long first, long end) {
        this.levels = levels;
        this.room = room;
        this.begin = new long[room + 2];
        this.first = first;
        this.end = end;
    }

    /** Adds to every segment. */
    abstract void shift(int delta);

    /**
     * Adds to every instant of {@code [from, to)} that lies in this span.
     *
     * @return the right half when the span had to be split, else null
     */
    abstract @Nullable ProfileSpan add(long from, long to, int delta);

    /** The least free units in the part of {@code [from, to)} that lies in this span; the greatest integer if none does. */
    abstract int leastIn(long from, long to);

    /**
     * Continues a search from {@code search.from}.
     *
     * @param level level at whose lengths of runs spans are passed over, with the amount of the search; {@link #NO_LEVEL} to read all
     *     segments
     */
    abstract void fit(FitSearch search, int level);

    /** Shows the visitor each stretch of constant capacity that reaches into {@code [from, to)}; a stretch is not cut off there. */
    abstract void visit(long from, long to, Segments visitor);

    /** Computes the lengths of runs at a level and stores them by {@link #storeRuns}. */
    abstract void measureRuns(int level);

    /** The only span that a branch holds, or this one. */
    ProfileSpan withoutNeedlessBranch() {
        return this;
    }

    /** Takes over all parts of the span to its right, which is of the same kind. */
    abstract void append(ProfileSpan right);

    final boolean isSmall() {
        return size < room / 4;
    }

    /** Takes over all that the span to its right holds, if there is room for it. */
    final boolean absorb(ProfileSpan right) {
        if (size + right.size > room * 3 / 4) {
            return false;
        }
        append(right);
        return true;
    }

    /** Index of the last part that begins at or before the instant; 0 for an instant before the span. */
    final int indexOf(long instant) {
        return instant <= first ? 0 : InstantTicks.lastUpTo(instant, begin, size);
    }

    final long endOf(int i) {
        return i + 1 < size ? begin[i + 1] : end;
    }

    /** Receives each stretch of constant capacity, in order. */
    @FunctionalInterface
    interface Segments {
        void segment(long from, long to, int free);
    }

    final void forgetRuns() {
        measuredLevels = 0;
    }

    final void storeRuns(int level, long head, long longest, long tail) {
        if (runsOfLevels.length == 0) {
            runsOfLevels = new long[3 * levels];
        }
        runsOfLevels[3 * level] = head;
        runsOfLevels[3 * level + 1] = longest;
        runsOfLevels[3 * level + 2] = tail;
        measuredLevels |= 1L << level;
    }

    final void ensureMeasured(int level) {
        if ((measuredLevels & 1L << level) == 0) {
            measureRuns(level);
        }
    }

    /** Length of the run at the start of the span; like the next two, only after {@link #ensureMeasured}. */
    final long head(int level) {
        return runsOfLevels[3 * level];
    }

    final long longest(int level) {
        return runsOfLevels[3 * level + 1];
    }

    final long tail(int level) {
        return runsOfLevels[3 * level + 2];
    }
}
