package org.metasched.slots;

/**
 * Where one search for a long enough run stands, while it walks over the spans from left to right.
 *
 * <p>{@code open} is where the run began that reaches up to the place the walk has come to.
 */
final class FitSearch {

    static final long NONE = Long.MIN_VALUE;

    final int amount;
    final long length;
    final long latestStart;
    /** Where the walk begins. */
    long from;

    long open = NONE;
    /** The answer, or {@link #NONE} as long as there is none. */
    long found = NONE;
    /** Leaves that may still be read segment by segment before the walk goes on by summaries. */
    int patience;
    /** Where the walk ran out of patience, or {@link #NONE}. */
    long stoppedAt = NONE;

    FitSearch(int amount, long length, long from, long latestStart) {
        this.amount = amount;
        this.length = length;
        this.from = from;
        this.latestStart = latestStart;
    }

    /** Takes a stretch in which enough is free; true when the run is long enough now. */
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

    /** Whether a run that begins here, or later, comes too late. */
    boolean tooLate(long begin) {
        return (open == NONE ? begin : open) > latestStart;
    }

    boolean isOver(long begin) {
        return found != NONE || stoppedAt != NONE || tooLate(begin);
    }
}
