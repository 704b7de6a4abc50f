package org.metasched.slots;

import org.jspecify.annotations.Nullable;

/** Up to {@value #ROOM} segments of constant capacity, as two sorted arrays. */
final class LeafSpan extends ProfileSpan {

    static final int ROOM = 192;

    /** Two more than {@code ROOM}, as a change may cut segments at both of its ends. */
    private final int[] free = new int[ROOM + 2];

    LeafSpan(int levels, long first, long end, int free) {
        super(levels, ROOM, first, end);
        this.begin[0] = first;
        this.free[0] = free;
        this.size = 1;
        measure();
    }

    private LeafSpan(LeafSpan left, int cut) {
        super(left.levels, ROOM, left.begin[cut], left.end);
        size = left.size - cut;
        System.arraycopy(left.begin, cut, begin, 0, size);
        System.arraycopy(left.free, cut, free, 0, size);
        measure();
    }

    @Override
    void shift(int delta) {
        for (int i = 0; i < size; i++) {
            free[i] += delta;
        }
        least += delta;
        most += delta;
        forgetRuns();
    }

    @Override
    @Nullable
    LeafSpan add(long from, long to, int delta) {
        int low = from <= first ? 0 : cutAt(from);
        int high = to >= end ? size : cutAt(to);
        for (int i = low; i < high; i++) {
            free[i] += delta;
        }
        if (high < size) {
            joinIfEqual(high);
        }
        joinIfEqual(low);
        LeafSpan right = null;
        if (size > ROOM) {
            right = new LeafSpan(this, size / 2);
            end = right.first;
            size /= 2;
        }
        measure();
        return right;
    }

    /** Makes a segment begin at the instant, and returns its index. */
    private int cutAt(long instant) {
        int i = indexOf(instant);
        if (begin[i] == instant) {
            return i;
        }
        i++;
        System.arraycopy(begin, i, begin, i + 1, size - i);
        System.arraycopy(free, i, free, i + 1, size - i);
        begin[i] = instant;
        free[i] = free[i - 1];
        size++;
        return i;
    }

    /** Joins a segment with the previous one if both have the same capacity; the first segment's predecessor is in another leaf. */
    private void joinIfEqual(int i) {
        if (i > 0 && free[i] == free[i - 1]) {
            size--;
            System.arraycopy(begin, i + 1, begin, i, size - i);
            System.arraycopy(free, i + 1, free, i, size - i);
        }
    }

    private void measure() {
        int low = free[0];
        int high = low;
        for (int i = 1; i < size; i++) {
            low = Math.min(low, free[i]);
            high = Math.max(high, free[i]);
        }
        least = low;
        most = high;
        forgetRuns();
    }

    @Override
    int leastIn(long from, long to) {
        int low = Integer.MAX_VALUE;
        for (int i = indexOf(from); i < size && begin[i] < to; i++) {
            low = Math.min(low, free[i]);
        }
        return low;
    }

    @Override
    void fit(FitSearch search, int level) {
        int amount = search.amount;
        int i = indexOf(search.from);
        while (i < size) {
            int begun = i;
            while (i < size && free[i] >= amount) {
                i++;
            }
            if (i > begun && (search.isTooLate(begin[begun]) || search.extend(begin[begun], endOf(i - 1)))) {
                return;
            }
            if (i < size) {
                search.interrupt();
            }
            while (i < size && free[i] < amount) {
                i++;
            }
        }
        search.patience--;
        if (search.patience <= 0 && search.open == FitSearch.NONE) {
            search.stoppedAt = end;
        }
    }

    @Override
    void measureRuns(int level) {
        int amount = RunLevels.amount(level);
        long open = FitSearch.NONE;
        long head = free[0] >= amount ? end - first : 0;
        long longest = 0;
        for (int i = 0; i < size; i++) {
            if (free[i] < amount) {
                if (open != FitSearch.NONE) {
                    longest = Math.max(longest, begin[i] - open);
                    head = open == first ? begin[i] - first : head;
                    open = FitSearch.NONE;
                }
            } else if (open == FitSearch.NONE) {
                open = begin[i];
            }
        }
        long tail = open == FitSearch.NONE ? 0 : end - open;
        storeRuns(level, head, Math.max(longest, tail), tail);
    }

    @Override
    void visit(long from, long to, Segments visitor) {
        for (int i = indexOf(from); i < size && begin[i] < to; i++) {
            visitor.segment(begin[i], endOf(i), free[i]);
        }
    }

    @Override
    void append(ProfileSpan right) {
        var other = (LeafSpan) right;
        System.arraycopy(other.begin, 0, begin, size, other.size);
        System.arraycopy(other.free, 0, free, size, other.size);
        int joint = size;
        size += other.size;
        end = other.end;
        joinIfEqual(joint);
        measure();
    }
}
