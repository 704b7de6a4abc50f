package org.metasched.slots;

/**
 * Finds the first start from which enough of the same nodes are free, by looking at each window from its end: if too few nodes are free
 * from a segment to the window's end, no start up to that segment fits, so the search continues behind it. The segments before it are never
 * looked at (after Boyer and Moore 1977), and blocks of segments that leave enough nodes are passed at once. After the first window, a few
 * segments of each are tried before all of them, since most reservations outlast many segments. For one search.
 */
final class FirstCommonNodes {

    /** The first, quick check of a window reads one of this many segments of a block. */
    private static final int STRIDE = 16;

    private final NodeTimeline line;
    private final long[] eligible;
    private final int amount;
    private final long length;
    private final long[] common;
    private final long[] trial;
    /** Whether the last window failed by one segment alone, so that counts may skip far. */
    private boolean isScarce;

    FirstCommonNodes(NodeTimeline line, long[] eligible, int amount, long length) {
        this.line = line;
        this.eligible = eligible;
        this.amount = amount;
        this.length = length;
        this.common = new long[eligible.length];
        this.trial = new long[eligible.length];
    }

    /** The first start in {@code [from, latest]}, or {@link FitSearch#NONE}. */
    long find(long from, long latest) {
        long start = line.counts.earliestFit(amount, length, from, latest);
        while (start != FitSearch.NONE && start <= latest) {
            long to = Math.max(start + 1, start + length);
            long next = start == from ? FitSearch.NONE : afterTooFew(start, to, STRIDE);
            next = next == FitSearch.NONE ? afterTooFew(start, to, 1) : next;
            if (next == FitSearch.NONE) {
                return start;
            }
            start = isScarce ? line.counts.earliestFit(amount, length, next, latest) : next;
            start = start == FitSearch.NONE ? start : line.afterTooFewShared(start, length, latest, amount);
        }
        return FitSearch.NONE;
    }

    /**
     * The end of the last segment from which to the end of the window too few nodes are common; {@link FitSearch#NONE} if there is none.
     * With a stride above 1 only every stride-th segment of a block counts, so that the answer may be too early.
     */
    private long afterTooFew(long from, long to, int stride) {
        System.arraycopy(eligible, 0, common, 0, eligible.length);
        isScarce = true;
        int firstBlock = line.blockOf(from);
        int lastBlock = line.blockOf(to - 1);
        for (int b = lastBlock; b >= firstBlock; b--) {
            var block = line.block(b);
            int first = b == firstBlock ? block.segmentOf(from) : 0;
            int last = b == lastBlock ? block.segmentOf(to - 1) : block.size() - 1;
            if (stride == 1 && narrow(block, first, last)) {
                isScarce = false;
                continue;
            }
            long[] free = block.free();
            for (int i = last / stride * stride; i >= first; i -= stride) {
                if (and(common, free, i) < amount) {
                    return i + 1 < block.size() ? block.begin(i + 1) : line.endOf(b);
                }
                isScarce = false;
            }
        }
        return FitSearch.NONE;
    }

    /** Reduces {@code common} to the nodes that are free in some segments too if enough are left; else returns false and leaves it. */
    private boolean narrow(NodeBlock block, int first, int last) {
        System.arraycopy(common, 0, trial, 0, common.length);
        int count = 0;
        if (first == 0 && last == block.size() - 1) {
            count = and(trial, block.inAll(), 0);
        } else {
            long[] free = block.free();
            for (int i = first; i <= last; i++) {
                count = and(trial, free, i);
            }
        }
        if (count >= amount) {
            System.arraycopy(trial, 0, common, 0, common.length);
        }
        return count >= amount;
    }

    /** Reduces a set to the nodes that are free in the segment too; returns their number. */
    private static int and(long[] set, long[] free, int segment) {
        int at = segment * set.length;
        int count = 0;
        for (int w = 0; w < set.length; w++) {
            set[w] &= free[at + w];
            count += Long.bitCount(set[w]);
        }
        return count;
    }
}
