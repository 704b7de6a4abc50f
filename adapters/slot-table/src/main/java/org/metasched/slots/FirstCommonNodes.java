package org.metasched.slots;

import java.util.Arrays;

/**
 * Finds the first start from which enough of the same nodes are free, by looking at each window from its end: where the nodes
 * that are free from a segment up to the window's end become too few, no start up to that segment will do, so the search goes
 * on behind it. The segments before it are never looked at (after Boyer and Moore 1977).
 *
 * <p>ANDs from each segment up to a {@code middle} are kept, so that a segment is ANDed twice at most. For one search.
 */
final class FirstCommonNodes {

    private final NodeTimeline line;
    private final long[] eligible;
    private final int words;
    private final int amount;
    private final long length;

    private final SegmentCursor first;
    private final SegmentCursor end;
    private final SegmentCursor at;
    /** ANDs from a segment up to {@code middle}; the one of segment number {@code n} is at {@code n - base}. */
    private long[] upToMiddle = {};

    private long base;
    private long middle = -1;
    /** AND over the segments after {@code middle}, up to and without {@code end}. */
    private final long[] afterMiddle;

    FirstCommonNodes(NodeTimeline line, long[] eligible, int amount, long length) {
        this.line = line;
        this.eligible = eligible;
        this.words = eligible.length;
        this.amount = amount;
        this.length = length;
        this.first = new SegmentCursor(line);
        this.end = new SegmentCursor(line);
        this.at = new SegmentCursor(line);
        this.afterMiddle = new long[words];
    }

    /** The first start in {@code [from, latest]}, or {@link FitSearch#NONE}. */
    long find(long from, long latest) {
        long start = from;
        first.moveTo(start);
        forget();
        while (start <= latest) {
            if (end.number() <= first.number()) {
                start = line.counts().earliestFit(amount, length, start, latest);
                if (start == FitSearch.NONE) {
                    return FitSearch.NONE;
                }
                first.moveTo(start);
                forget();
            }
            if (holds(start)) {
                return start;
            }
            if (first.isAtEnd()) {
                return FitSearch.NONE;
            }
            start = Math.max(start, first.begin());
        }
        return FitSearch.NONE;
    }

    private void forget() {
        end.moveTo(first);
        middle = first.number() - 1;
        Arrays.fill(afterMiddle, -1L);
    }

    /** Whether the nodes suffice from the start on; if not, {@code first} is moved to where they may. */
    private boolean holds(long start) {
        long known = Math.max(first.number(), first.number() > middle ? 0 : end.number());
        end.advanceTo(start + length);
        long[] suffix = new long[(int) (end.number() - known) * words];
        long[] common = new long[words];
        Arrays.fill(common, -1L);
        at.moveTo(end);
        for (int i = suffix.length - words; i >= 0; i -= words) {
            at.back();
            if (at.andInto(common, eligible, suffix, i) < amount) {
                first.moveTo(at);
                first.next();
                keep(known, suffix);
                return false;
            }
        }
        if (first.number() > middle) {
            keep(known, suffix);
            return true;
        }
        for (int w = 0; w < words; w++) {
            afterMiddle[w] &= common[w];
        }
        return isEnough();
    }

    private void keep(long known, long[] suffix) {
        base = known;
        upToMiddle = suffix;
        middle = end.number() - 1;
        Arrays.fill(afterMiddle, -1L);
    }

    /** Whether enough nodes are common to the whole window; if not, {@code first} moves to where they are. */
    private boolean isEnough() {
        long low = first.number();
        long high = middle + 1;
        while (low < high) {
            long mid = (low + high) >>> 1;
            if (count((int) (mid - base) * words) >= amount) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        boolean enough = low == first.number();
        while (first.number() < low) {
            first.next();
        }
        return enough;
    }

    private int count(int from) {
        int count = 0;
        for (int w = 0; w < words; w++) {
            count += Long.bitCount(eligible[w] & upToMiddle[from + w] & afterMiddle[w]);
        }
        return count;
    }
}
