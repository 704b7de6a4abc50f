package org.metasched.slots;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.metasched.adapter.FreeWindows.StartInterval;

/**
 * Finds the starts from which enough nodes are free together, by one pass of a sliding window over the segments.
 *
 * <p>For each first segment the window reaches as far as enough nodes are free in all of it; both ends only move on. Sets
 * that were ANDed cannot be taken out of the window again, so the window is kept as a queue of two stacks: the ANDs from
 * each of its older segments up to a middle, and one AND from there to its end. Each segment is ANDed twice at most.
 */
final class CommonNodeRuns {

    private final long[] begin;
    private final long[] free;
    private final int size;
    private final long[] eligible;
    private final int words;

    /** ANDs from a segment up to {@code middle}, for the segments from {@code base} to {@code middle}. */
    private long[] upToMiddle = {};

    private int base;
    private int middle;
    /** AND over the segments after {@code middle}. */
    private final long[] afterMiddle;

    CommonNodeRuns(long[] begin, long[] free, int size, long[] eligible) {
        this.begin = begin;
        this.free = free;
        this.size = size;
        this.eligible = eligible;
        this.words = eligible.length;
        this.afterMiddle = new long[words];
    }

    /** All intervals of starts, or only as much of the first one as shows where it begins. */
    List<StartInterval> starts(int amount, long length, Instant earliest, Instant latest, boolean firstOnly) {
        var found = new Intervals(earliest, latest);
        long from = Ticks.of(earliest);
        long to = Ticks.of(latest);
        int first = Arrays.binarySearch(begin, 0, size, from);
        first = first >= 0 ? first : Math.max(0, -first - 2);
        middle = first - 1;
        for (int end = first; first < size && begin[first] <= to; first++) {
            end = Math.max(end, first);
            if (first > middle) {
                turn(first, end - 1);
            }
            while (end < size && commonWith(first, end) >= amount) {
                keep(end++);
            }
            long reach = end < size ? begin[end] : Ticks.END;
            long low = Math.max(from, begin[first]);
            long high = Math.min(Math.min(to, nextBegin(first)), reach - length);
            if (end > first && low <= high) {
                found.add(low, high);
                if (firstOnly) {
                    break;
                }
            }
        }
        return found.all();
    }

    private long nextBegin(int segment) {
        return segment + 1 < size ? begin[segment + 1] : Ticks.END;
    }

    /** How many eligible nodes are free in all of the window and in the segment after it too. */
    private int commonWith(int first, int next) {
        int count = 0;
        for (int w = 0; w < words; w++) {
            long word = eligible[w] & free[next * words + w] & afterMiddle[w];
            count += Long.bitCount(first <= middle ? word & upToMiddle[(first - base) * words + w] : word);
        }
        return count;
    }

    private void keep(int segment) {
        for (int w = 0; w < words; w++) {
            afterMiddle[w] &= free[segment * words + w];
        }
    }

    /** Makes the window's last segment its middle; an empty window has {@code last} before {@code first}. */
    private void turn(int first, int last) {
        base = first;
        middle = last;
        if (upToMiddle.length < (last - first + 1) * words) {
            upToMiddle = new long[(last - first + 1) * words];
        }
        for (int i = last; i >= first; i--) {
            int at = (i - base) * words;
            for (int w = 0; w < words; w++) {
                long later = i == last ? -1L : upToMiddle[at + words + w];
                upToMiddle[at + w] = free[i * words + w] & later;
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
            Instant first = low == Ticks.of(earliest) ? earliest : Ticks.instant(low);
            Instant last = high == Ticks.of(latest) ? latest : Ticks.instant(high);
            closed.add(new StartInterval(first, last));
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
