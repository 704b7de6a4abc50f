package org.metasched.slots;

/**
 * State of one search for a run of enough free units, while it walks over a tree of {@link ProfileSpan}s from left to right. Times are in
 * ticks.
 *
 * <p>{@code open} is the start of the run that lasts up to the current position, or {@link #NONE}.
 */
final class FitSearch {

    static final long NONE = Long.MIN_VALUE;

    final int amount;
    final long length;
    final long latestStart;
    /** The tick at which the walk begins. */
    final long from;

    long open = NONE;
    /** The answer, or {@link #NONE} as long as there is none. */
    long found = NONE;
    /** Number of {@link LeafSpan}s that may still be read segment by segment, before the walk continues by the spans' lengths of runs. */
    int patience;
    /** The position at which {@code patience} was used up, or {@link #NONE}. */
    long stoppedAt = NONE;

    FitSearch(int amount, long length, long from, long latestStart) {
        this.amount = amount;
        this.length = length;
        this.from = from;
        this.latestStart = latestStart;
    }

    /** Lengthens the run by a stretch in which enough is free; true when the run is long enough now. */
    boolean extend(long begin, long end) {
        if (open == NONE) {
            open = Math.max(begin, from);
        }
        if (end - open < length) {
            return false;
        }
        found = open;
        return true;
    }

    void interrupt() {
        open = NONE;
    }

    /** Whether the current run, or without one a run from {@code begin} on, starts after {@code latestStart}. */
    boolean isTooLate(long begin) {
        return (open == NONE ? begin : open) > latestStart;
    }

    /** Whether the walk may end before a part that begins at the tick. */
    boolean isOver(long begin) {
        return found != NONE || stoppedAt != NONE || isTooLate(begin);
    }
}
