package org.metasched.slots;

import org.jspecify.annotations.Nullable;

/**
 * A stretch of a {@link CountProfile}, {@code [first, end)}: a {@link LeafSpan} of segments or a {@link BranchSpan} of spans. It
 * knows the least and the most that is free in it, and, for each of the {@link RunLevels} that a search asked about since its
 * last change, how long the runs are during which that much is free: at its head, at its tail, and the longest.
 */
abstract sealed class ProfileSpan permits LeafSpan, BranchSpan {

    final int levels;
    final long first;
    /** Where each part begins. */
    final long[] begin;

    /** How many parts there are. */
    int size;

    long end;
    int least;
    int most;

    private final int room;
    private long known;
    private long[] runs = {};

    /**
     * @param levels how many of the {@link RunLevels} the whole capacity needs
     * @param room for so many parts
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

    abstract int leastIn(long from, long to);

    /** Walks over all segments from {@code search.from} and looks at each. */
    abstract void fit(FitSearch search);

    /** Walks over all spans by their runs at a level, whose amount is the amount searched for. */
    abstract void fitByRuns(FitSearch search, int level);

    abstract void visit(long from, long to, Segments visitor);

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

    /** The last part that begins at or before the instant; the first one for an instant before the span. */
    final int indexOf(long instant) {
        return instant <= first ? 0 : InstantTicks.lastUpTo(instant, begin, size);
    }

    final long endOf(int i) {
        return i + 1 < size ? begin[i + 1] : end;
    }

    /** Is told each stretch of constant capacity, in order. */
    @FunctionalInterface
    interface Segments {
        void segment(long from, long to, int free);
    }

    final void forgetRuns() {
        known = 0;
    }

    final void remember(int level, long head, long longest, long tail) {
        if (runs.length == 0) {
            runs = new long[3 * levels];
        }
        runs[3 * level] = head;
        runs[3 * level + 1] = longest;
        runs[3 * level + 2] = tail;
        known |= 1L << level;
    }

    final void know(int level) {
        if ((known & 1L << level) == 0) {
            measureRuns(level);
        }
    }

    /** The run at the beginning of the span; like the next two, only after {@link #know}. */
    final long head(int level) {
        return runs[3 * level];
    }

    final long longest(int level) {
        return runs[3 * level + 1];
    }

    final long tail(int level) {
        return runs[3 * level + 2];
    }
}
