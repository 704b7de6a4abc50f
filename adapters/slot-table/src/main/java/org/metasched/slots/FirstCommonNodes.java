package org.metasched.slots;

/**
 * Finds the first start from which enough of the same nodes are free, by looking at each window from its end: where the nodes
 * that are free from a segment up to the window's end become too few, no start up to that segment will do, so the search goes
 * on behind it. The segments before it are never looked at (after Boyer and Moore 1977), and blocks of segments that leave enough nodes
 * are passed at once. For one search.
 */
final class FirstCommonNodes {

    private final NodeTimeline line;
    private final long[] eligible;
    private final int amount;
    private final long length;
    private final long[] common;
    private final long[] trial;

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
        long start = from;
        while (start <= latest) {
            start = line.counts().earliestFit(amount, length, start, latest);
            if (start == FitSearch.NONE) {
                return FitSearch.NONE;
            }
            long next = afterTooFew(start, Math.max(start + 1, start + length));
            if (next == FitSearch.NONE) {
                return start;
            }
            start = next;
        }
        return FitSearch.NONE;
    }

    /** The end of the last segment from which on too few nodes are common up to the end; {@link FitSearch#NONE} without one. */
    private long afterTooFew(long from, long to) {
        System.arraycopy(eligible, 0, common, 0, eligible.length);
        int firstBlock = line.blockOf(from);
        for (int b = line.blockOf(to - 1); b >= firstBlock; b--) {
            var block = line.block(b);
            int first = b == firstBlock ? block.segmentOf(from) : 0;
            int last = block.segmentOf(to - 1);
            System.arraycopy(common, 0, trial, 0, common.length);
            if (first == 0 && last == block.size() - 1) {
                and(trial, block.inAll(), 0);
            } else {
                for (int i = first; i <= last; i++) {
                    and(trial, block.free(), i);
                }
            }
            if (count(trial) >= amount) {
                System.arraycopy(trial, 0, common, 0, common.length);
                continue;
            }
            for (int i = last; i >= first; i--) {
                and(common, block.free(), i);
                if (count(common) < amount) {
                    return i + 1 < block.size() ? block.begin(i + 1) : line.endOf(b);
                }
            }
        }
        return FitSearch.NONE;
    }

    private static void and(long[] set, long[] free, int segment) {
        int at = segment * set.length;
        for (int w = 0; w < set.length; w++) {
            set[w] &= free[at + w];
        }
    }

    private static int count(long[] set) {
        int count = 0;
        for (long word : set) {
            count += Long.bitCount(word);
        }
        return count;
    }
}
