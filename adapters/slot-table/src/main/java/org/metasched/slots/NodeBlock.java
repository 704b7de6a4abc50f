package org.metasched.slots;

import java.util.Arrays;

/**
 * Some dozens of neighbouring segments of a {@link NodeProfile}, with the nodes that are free in all of them and those that may
 * be free in some of them. A change of the whole block is kept as pending, and applied to its segments when one of them is read.
 */
final class NodeBlock {

    /** Segments of a full block. */
    static final int ROOM = 64;

    private final int words;
    private final long[] begin = new long[ROOM];
    private final long[] free;
    private final long[] inAll;
    private final long[] inAny;
    /** Noted changes: nodes that are taken in all segments, and nodes that are free in all. */
    private final long[] pendingTaken;

    private final long[] pendingFree;
    /** Range of the words in which changes are noted: {@code [pendingFrom, pendingTo)}. */
    private int pendingFrom;

    private int pendingTo;
    private int size;

    NodeBlock(int words) {
        this.words = words;
        free = new long[ROOM * words];
        inAll = new long[words];
        inAny = new long[words];
        pendingTaken = new long[words];
        pendingFree = new long[words];
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == ROOM;
    }

    long begin(int segment) {
        return begin[segment];
    }

    /** The last segment that begins at or before the instant; the first one for an instant before the block. */
    int segmentOf(long instant) {
        return InstantTicks.lastUpTo(instant, begin, size);
    }

    /** The sets of free nodes, {@code words} words for each segment. Not to be changed. */
    long[] free() {
        pushDown();
        return free;
    }

    /** The nodes that are free in every segment. Not to be changed. */
    long[] inAll() {
        return inAll;
    }

    void add(long instant, long[] nodes, int at) {
        insert(size, instant, nodes, at);
    }

    /**
     * Inserts a segment, for which the caller leaves room.
     *
     * @param at index of its first word in {@code nodes}, which may be this block's own array
     */
    void insert(int i, long instant, long[] nodes, int at) {
        pushDown();
        long[] copy = Arrays.copyOfRange(nodes, at, at + words);
        System.arraycopy(begin, i, begin, i + 1, size - i);
        System.arraycopy(free, i * words, free, (i + 1) * words, (size - i) * words);
        begin[i] = instant;
        System.arraycopy(copy, 0, free, i * words, words);
        size++;
        for (int w = 0; w < words; w++) {
            inAll[w] = size == 1 ? copy[w] : inAll[w] & copy[w];
            inAny[w] = size == 1 ? copy[w] : inAny[w] | copy[w];
        }
    }

    void remove(int i) {
        pushDown();
        boolean equalsPrevious =
                i > 0 && Arrays.equals(free, (i - 1) * words, i * words, free, i * words, (i + 1) * words);
        size--;
        System.arraycopy(begin, i + 1, begin, i, size - i);
        System.arraycopy(free, (i + 1) * words, free, i * words, (size - i) * words);
        if (!equalsPrevious) {
            measure(0, words);
        }
    }

    /** Lets the first segment begin at another instant. */
    void beginAt(long instant) {
        begin[0] = instant;
    }

    /** Moves the second half into a new block. */
    NodeBlock splitOff() {
        pushDown();
        int half = size / 2;
        var right = new NodeBlock(words);
        for (int i = half; i < size; i++) {
            right.add(begin[i], free, i * words);
        }
        size = half;
        measure(0, words);
        return right;
    }

    /** Whether the change is the same for every segment: it takes nodes that are free in all, or frees nodes that are free in none. */
    boolean isUniform(long[] nodes, boolean nowFree) {
        for (int w = 0; w < words; w++) {
            if ((nodes[w] & (nowFree ? inAny[w] : ~inAll[w])) != 0) {
                return false;
            }
        }
        return true;
    }

    void changeAll(long[] nodes, boolean nowFree) {
        for (int w = 0; w < words; w++) {
            if (nodes[w] == 0) {
                continue;
            }
            pendingFrom = pendingFrom == pendingTo ? w : Math.min(pendingFrom, w);
            pendingTo = Math.max(pendingTo, w + 1);
            pendingTaken[w] = nowFree ? pendingTaken[w] & ~nodes[w] : pendingTaken[w] | nodes[w];
            pendingFree[w] = nowFree ? pendingFree[w] | nodes[w] : pendingFree[w] & ~nodes[w];
            inAll[w] = nowFree ? inAll[w] | nodes[w] : inAll[w] & ~nodes[w];
            inAny[w] = nowFree ? inAny[w] | nodes[w] : inAny[w] & ~nodes[w];
        }
    }

    /**
     * Changes one segment, in the words {@code [low, high)}. The block must be {@linkplain #measure measured} afterwards.
     *
     * @return change of the number of its free nodes
     */
    int change(int segment, long[] nodes, boolean nowFree, int low, int high) {
        pushDown();
        int more = 0;
        int at = segment * words;
        for (int w = low; w < high; w++) {
            long before = free[at + w];
            long after = nowFree ? before | nodes[w] : before & ~nodes[w];
            if (before != after) {
                more += Long.bitCount(after) - Long.bitCount(before);
                free[at + w] = after;
            }
        }
        return more;
    }

    /** Notes that some segments lost nodes; costs less than {@link #measure}, since {@code inAny} may hold too many. */
    void noteSomeTaken(long[] nodes, int low, int high) {
        for (int w = low; w < high; w++) {
            inAll[w] &= ~nodes[w];
        }
    }

    /** Computes {@code inAll} and {@code inAny} from the segments, in the words {@code [low, high)}; no change may be pending there. */
    void measure(int low, int high) {
        Arrays.fill(inAll, low, high, -1L);
        Arrays.fill(inAny, low, high, 0L);
        for (int i = 0; i < size * words; i += words) {
            for (int w = low; w < high; w++) {
                inAll[w] &= free[i + w];
                inAny[w] |= free[i + w];
            }
        }
    }

    private void pushDown() {
        if (pendingFrom == pendingTo) {
            return;
        }
        for (int i = 0; i < size * words; i += words) {
            for (int w = pendingFrom; w < pendingTo; w++) {
                free[i + w] = free[i + w] & ~pendingTaken[w] | pendingFree[w];
            }
        }
        Arrays.fill(pendingTaken, pendingFrom, pendingTo, 0);
        Arrays.fill(pendingFree, pendingFrom, pendingTo, 0);
        pendingFrom = 0;
        pendingTo = 0;
    }
}
