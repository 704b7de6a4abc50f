package org.metasched.slots;

import java.util.Arrays;

/**
 * The segments of a {@link NodeProfile} in blocks, and the number of free nodes over time, by which a search for enough of the same nodes
 * skips stretches. With {@code n} segments and {@code N} nodes a change of {@code k} segments costs
 * {@code O((k / 64 + 64) N / 64 + log n)}. Not thread-safe.
 */
final class NodeTimeline {

    final int words;
    /** Number of free nodes over time. */
    final CountProfile counts;

    private NodeBlock[] blocks = new NodeBlock[16];
    /** The tick at which each block begins. */
    private long[] firsts = new long[16];

    /** Number of nodes that are free both when a block begins and when the next one does, or -1 if it is not counted yet. */
    private int[] shared = new int[16];

    private int size = 1;
    /** Change of the number of free nodes that {@code counts} does not hold yet, and the tick of its start. */
    private int uncounted;

    private long uncountedFrom;

    /** A timeline with one segment for all times. */
    NodeTimeline(int nodes, long[] free) {
        words = free.length;
        counts = new CountProfile(nodes);
        blocks[0] = new NodeBlock(words);
        blocks[0].add(InstantTicks.BEGIN, free, 0);
        firsts[0] = InstantTicks.BEGIN;
        shared[0] = -1;
    }

    int blocks() {
        return size;
    }

    NodeBlock block(int i) {
        return blocks[i];
    }

    /** The block of an instant. */
    int blockOf(long instant) {
        return InstantTicks.lastUpTo(instant, firsts, size);
    }

    /** The first start from {@code from} on whose slot holds no two neighbouring block begins at which too few of the same nodes are free. */
    long afterTooFewShared(long from, long length, long latest, int amount) {
        long start = from;
        for (int b = blockOf(start) + 1; b + 1 < size && firsts[b + 1] < start + length && start <= latest; b++) {
            if (shared(b) < amount) {
                start = firsts[b] + 1;
            }
        }
        return start;
    }

    private int shared(int b) {
        if (shared[b] < 0) {
            long[] free = blocks[b].free();
            long[] next = blocks[b + 1].free();
            int count = 0;
            for (int w = 0; w < words; w++) {
                count += Long.bitCount(free[w] & next[w]);
            }
            shared[b] = count;
        }
        return shared[b];
    }

    /** ANDs the nodes that are free in all of {@code [from, to)} into a set. At least the segment of {@code from} counts. */
    void freeThroughout(long from, long to, long[] common) {
        int low = low(common);
        int high = high(common);
        int b = blockOf(from);
        int i = blocks[b].segmentOf(from);
        boolean first = true;
        while (b < size && (first || firsts[b] < to)) {
            var block = blocks[b];
            if (i == 0 && block.begin(block.size() - 1) < to) {
                and(common, block.inAll(), 0, low, high);
            } else {
                long[] free = block.free();
                for (; i < block.size() && (first || block.begin(i) < to); i++) {
                    and(common, free, i * words, low, high);
                    first = false;
                }
            }
            first = false;
            b++;
            i = 0;
        }
    }

    /** Index of the first word that is not empty. */
    private int low(long[] set) {
        int low = 0;
        while (low < words && set[low] == 0) {
            low++;
        }
        return low;
    }

    /** One more than the index of the last word that is not empty. */
    private int high(long[] set) {
        int high = words;
        while (high > 0 && set[high - 1] == 0) {
            high--;
        }
        return high;
    }

    private static void and(long[] common, long[] free, int at, int low, int high) {
        for (int w = low; w < high; w++) {
            common[w] &= free[at + w];
        }
    }

    /** Makes nodes free or not free in {@code [from, to)}. */
    void change(long[] nodes, long from, long to, boolean nowFree) {
        cutAt(from);
        if (to < InstantTicks.END) {
            cutAt(to);
        }
        int count = 0;
        for (long word : nodes) {
            count += Long.bitCount(word);
        }
        uncountedFrom = from;
        uncounted = 0;
        for (int b = blockOf(from); b < size && firsts[b] < to; b++) {
            var block = blocks[b];
            if (from <= firsts[b] && endOf(b) <= to && block.isUniform(nodes, nowFree)) {
                block.changeAll(nodes, nowFree);
                changeCount(nowFree ? count : -count, Math.max(from, firsts[b]));
            } else {
                changeSome(block, nodes, from, to, nowFree);
            }
        }
        changeCount(0, to);
        if (to < InstantTicks.END) {
            joinIfEqual(to);
        }
        joinIfEqual(from);
        Arrays.fill(shared, Math.max(0, blockOf(from) - 1), Math.min(size, blockOf(to) + 2), -1);
    }

    /**
     * Adds a segment behind the last one of a timeline that was not changed in any other way; the caller ends with {@link #endAppending}.
     *
     * @param instant not before the last one
     * @param more number of free nodes less that of a new timeline, at most 0
     */
    void append(long instant, long[] free, int more) {
        var last = blocks[size - 1];
        if (instant == InstantTicks.BEGIN) {
            last.remove(0);
        } else if (Arrays.equals(free, 0, words, last.free(), (last.size() - 1) * words, last.size() * words)) {
            return;
        }
        if (last.isFull()) {
            last = new NodeBlock(words);
            last.add(instant, free, 0);
            insert(size, last);
        } else {
            last.add(instant, free, 0);
        }
        changeCount(more, instant);
    }

    void endAppending() {
        changeCount(0, InstantTicks.END);
    }

    private void changeSome(NodeBlock block, long[] nodes, long from, long to, boolean nowFree) {
        int low = low(nodes);
        int high = high(nodes);
        for (int i = block.segmentOf(from); i < block.size() && block.begin(i) < to; i++) {
            changeCount(block.change(i, nodes, nowFree, low, high), Math.max(from, block.begin(i)));
        }
        if (nowFree) {
            block.measure(low, high);
        } else {
            block.noteSomeTaken(nodes, low, high);
        }
    }

    /**
     * Notes that {@code more} nodes are free from the instant on, up to the instant of the next call. Neighbouring stretches with the same
     * change are added to {@code counts} in one step.
     */
    private void changeCount(int more, long instant) {
        if (more == uncounted) {
            return;
        }
        if (uncounted != 0) {
            counts.add(uncounted, uncountedFrom, instant);
        }
        uncounted = more;
        uncountedFrom = instant;
    }

    /** The tick at which a block ends; the end of all times after the last. */
    long endOf(int b) {
        return b + 1 < size ? firsts[b + 1] : InstantTicks.END;
    }

    private void cutAt(long instant) {
        int b = blockOf(instant);
        var block = blocks[b];
        int i = block.segmentOf(instant);
        if (block.begin(i) == instant) {
            return;
        }
        if (block.isFull()) {
            insert(b + 1, block.splitOff());
            b = blockOf(instant);
            block = blocks[b];
            i = block.segmentOf(instant);
        }
        block.insert(i + 1, instant, block.free(), i * words);
    }

    /** Joins the segment that begins at the instant with the one before it, if the same nodes are free. */
    private void joinIfEqual(long instant) {
        int b = blockOf(instant);
        var block = blocks[b];
        int i = block.segmentOf(instant);
        if (block.begin(i) != instant || (i == 0 && b == 0)) {
            return;
        }
        var before = i == 0 ? blocks[b - 1] : block;
        int at = (i == 0 ? before.size() - 1 : i - 1) * words;
        if (!Arrays.equals(block.free(), i * words, (i + 1) * words, before.free(), at, at + words)) {
            return;
        }
        block.remove(i);
        if (block.size() == 0) {
            remove(b, 1);
        } else {
            firsts[b] = block.begin(0);
            joinSmall(b);
        }
    }

    private void joinSmall(int b) {
        int left = b > 0 ? b - 1 : b;
        if (left + 1 >= size || blocks[b].size() > NodeBlock.ROOM / 8) {
            return;
        }
        var target = blocks[left];
        var source = blocks[left + 1];
        if (target.size() + source.size() > NodeBlock.ROOM / 2) {
            return;
        }
        for (int i = 0; i < source.size(); i++) {
            target.add(source.begin(i), source.free(), i * words);
        }
        remove(left + 1, 1);
    }

    private void insert(int b, NodeBlock block) {
        if (size == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * size);
            firsts = Arrays.copyOf(firsts, 2 * size);
            shared = Arrays.copyOf(shared, 2 * size);
        }
        System.arraycopy(blocks, b, blocks, b + 1, size - b);
        System.arraycopy(firsts, b, firsts, b + 1, size - b);
        System.arraycopy(shared, b, shared, b + 1, size - b);
        blocks[b] = block;
        firsts[b] = block.begin(0);
        shared[b] = -1;
        size++;
    }

    private void remove(int b, int count) {
        System.arraycopy(blocks, b + count, blocks, b, size - b - count);
        System.arraycopy(firsts, b + count, firsts, b, size - b - count);
        System.arraycopy(shared, b + count, shared, b, size - b - count);
        size -= count;
    }

    /** Forgets the past: before the instant, the same nodes are free as at the instant. */
    void forgetBefore(long instant) {
        counts.forgetBefore(instant);
        remove(0, blockOf(instant));
        var block = blocks[0];
        for (int gone = block.segmentOf(instant); gone > 0; gone--) {
            block.remove(0);
        }
        block.beginAt(InstantTicks.BEGIN);
        firsts[0] = InstantTicks.BEGIN;
    }
}
