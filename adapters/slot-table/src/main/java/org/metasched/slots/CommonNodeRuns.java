package org.metasched.slots;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.metasched.adapter.FreeWindows.StartInterval;

/**
 * Finds the starts from which enough nodes are free together, by one pass of a sliding window over the segments.
 *
 * <p>For each first segment the window reaches as far as enough nodes are free in all of it; both ends only move forwards. A set cannot be
 * taken out of an AND again, so the window is kept as a queue of two stacks: the ANDs from each of its older segments up to a middle, and
 * one AND from there to its end. Each segment is ANDed twice at most. While the window is empty, the search skips to the next start from
 * which the number of free nodes alone is enough. The pass is not needed if enough nodes are free from the first such start to the end of a
 * run that starts last.
 */
final class CommonNodeRuns {

    private final NodeTimeline line;
    private final long[] eligible;
    private final int words;

    /** ANDs from a segment up to {@code middle}, for each segment number from {@code base} to {@code middle}. */
    private long[] upToMiddle = {};

    private long base;
    private long middle;
    /** AND over the segments after {@code middle}. */
    private final long[] afterMiddle;

    private final SegmentCursor first;
    private final SegmentCursor end;

    CommonNodeRuns(NodeTimeline line, long[] eligible) {
        this.line = line;
        this.eligible = eligible;
        this.words = eligible.length;
        this.afterMiddle = new long[words];
        this.first = new SegmentCursor(line);
        this.end = new SegmentCursor(line);
    }

    /** The starts from {@code earliest} to {@code latest}, as intervals in order. */
    List<StartInterval> starts(int amount, long length, Instant earliest, Instant latest) {
        var intervals = new Intervals(earliest, latest);
        long from = InstantTicks.of(earliest);
        long to = InstantTicks.of(latest);
        if (skip(amount, length, from, to) && isEnough(amount, Math.max(from, first.begin()), to, length)) {
            intervals.add(Math.max(from, first.begin()), to);
        } else {
            slide(intervals, amount, length, from, to);
        }
        return intervals.all();
    }

    /** Moves the window over the segments, and adds an interval for each of its first segments that has starts. */
    private void slide(Intervals intervals, int amount, long length, long from, long to) {
        while (!first.isAtEnd() && first.begin() <= to) {
            if (end.number() <= first.number() && !skip(amount, length, from, to)) {
                break;
            }
            if (first.number() > middle) {
                moveMiddleToEnd();
            }
            while (!end.isAtEnd() && commonWithNext() >= amount) {
                for (int w = 0; w < words; w++) {
                    afterMiddle[w] &= end.word(w);
                }
                end.next();
            }
            long low = Math.max(from, first.begin());
            long reach = end.begin();
            boolean isOpen = end.number() > first.number();
            first.next();
            long high = Math.min(Math.min(to, first.begin()), reach - length);
            if (isOpen && low <= high) {
                intervals.add(low, high);
            }
        }
    }

    /** Moves the empty window to the next start from which the number of free nodes is enough; false if there is none. */
    private boolean skip(int amount, long length, long from, long to) {
        long possible = line.counts.earliestFit(amount, length, Math.max(from, first.begin()), to);
        if (possible == FitSearch.NONE) {
            return false;
        }
        first.moveTo(possible);
        end.moveTo(first);
        middle = first.number() - 1;
        return true;
    }

    /** Whether enough nodes are free from {@code from} to the end of a run that starts at {@code to}: then every start between fits. */
    private boolean isEnough(int amount, long from, long to, long length) {
        long[] common = eligible.clone();
        line.freeThroughout(from, to + length, common);
        return to <= InstantTicks.END - length && BitSet.valueOf(common).cardinality() >= amount;
    }

    /** Number of eligible nodes that are free in all of the window and in the segment after it too. */
    private int commonWithNext() {
        int count = 0;
        int at = first.number() <= middle ? (int) (first.number() - base) * words : -1;
        for (int w = 0; w < words; w++) {
            long word = eligible[w] & end.word(w) & afterMiddle[w];
            count += Long.bitCount(at >= 0 ? word & upToMiddle[at + w] : word);
        }
        return count;
    }

    /** Makes the window's last segment its middle and recomputes {@code upToMiddle}. */
    private void moveMiddleToEnd() {
        base = first.number();
        middle = end.number() - 1;
        int length = (int) (end.number() - base);
        if (upToMiddle.length < length * words) {
            upToMiddle = new long[2 * length * words];
        }
        var at = new SegmentCursor(line);
        at.moveTo(end);
        for (int i = length - 1; i >= 0; i--) {
            at.back();
            for (int w = 0; w < words; w++) {
                upToMiddle[i * words + w] = at.word(w) & (i == length - 1 ? -1L : upToMiddle[(i + 1) * words + w]);
            }
        }
        Arrays.fill(afterMiddle, -1L);
    }

    /** Joins intervals that touch, and keeps the caller's own instants at both ends. */
    private static final class Intervals {
        private final List<StartInterval> closed = new ArrayList<>();
        private final Instant earliest;
        private final Instant latest;
        private long low = FitSearch.NONE;
        private long high = FitSearch.NONE;

        Intervals(Instant earliest, Instant latest) {
            this.earliest = earliest;
            this.latest = latest;
        }

        void add(long from, long to) {
            if (low != FitSearch.NONE && from > high) {
                close();
            }
            low = low == FitSearch.NONE ? from : low;
            high = to;
        }

        private void close() {
            closed.add(new StartInterval(InstantTicks.instant(low, earliest), InstantTicks.instant(high, latest)));
            low = FitSearch.NONE;
        }

        List<StartInterval> all() {
            if (low != FitSearch.NONE) {
                close();
            }
            return closed;
        }
    }
}
