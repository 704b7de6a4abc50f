package org.metasched.slots;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Up to {@value #ROOM} spans, one after another. A change of all spans is kept in {@code pending} until one of them is read;
 * {@code leastOf} and {@code mostOf} are the least and most free units of each span, without {@code pending}.
 */
final class BranchSpan extends ProfileSpan {

    static final int ROOM = 64;

    // Two more than ROOM: a change may split the spans at both of its ends.
    private final int[] leastOf = new int[ROOM + 2];
    private final int[] mostOf = new int[ROOM + 2];
    private final @Nullable ProfileSpan[] spans = new @Nullable ProfileSpan[ROOM + 2];
    private int pending;

    /** A new root over the two halves of the old one. */
    BranchSpan(ProfileSpan left, ProfileSpan right) {
        super(left.levels, ROOM, left.first, right.end);
        put(0, left);
        put(1, right);
        size = 2;
        measure();
    }

    private BranchSpan(BranchSpan left, int cut) {
        super(left.levels, ROOM, left.begin[cut], left.end);
        for (int i = cut; i < left.size; i++) {
            put(i - cut, left.span(i));
        }
        size = left.size - cut;
        measure();
    }

    private ProfileSpan span(int i) {
        var span = spans[i];
        if (span == null) {
            throw new IllegalStateException("A branch of " + size + " spans has none at " + i + ".");
        }
        return span;
    }

    private void put(int i, ProfileSpan span) {
        spans[i] = span;
        begin[i] = span.first;
        leastOf[i] = span.least;
        mostOf[i] = span.most;
    }

    @Override
    ProfileSpan withoutNeedlessBranch() {
        pushDown();
        return size == 1 ? span(0) : this;
    }

    @Override
    void shift(int delta) {
        pending += delta;
        least += delta;
        most += delta;
        forgetRuns();
    }

    private void pushDown() {
        if (pending == 0) {
            return;
        }
        for (int i = 0; i < size; i++) {
            span(i).shift(pending);
            leastOf[i] += pending;
            mostOf[i] += pending;
        }
        pending = 0;
    }

    @Override
    @Nullable
    BranchSpan add(long from, long to, int delta) {
        pushDown();
        int low = indexOf(from);
        for (int i = low; i < size && begin[i] < to; i++) {
            var span = span(i);
            if (from <= begin[i] && endOf(i) <= to) {
                span.shift(delta);
                leastOf[i] += delta;
                mostOf[i] += delta;
                continue;
            }
            var right = span.add(from, to, delta);
            put(i, span);
            if (right != null) {
                insert(++i, right);
            }
        }
        // The spans at both ends of the change may have fewer segments now.
        joinSmall(low);
        joinSmall(Math.min(size - 1, to >= end ? size - 1 : indexOf(to)));
        BranchSpan right = null;
        if (size > ROOM) {
            right = splitOff(size / 2);
        }
        measure();
        return right;
    }

    private void insert(int i, ProfileSpan span) {
        int moved = size - i;
        System.arraycopy(spans, i, spans, i + 1, moved);
        System.arraycopy(begin, i, begin, i + 1, moved);
        System.arraycopy(leastOf, i, leastOf, i + 1, moved);
        System.arraycopy(mostOf, i, mostOf, i + 1, moved);
        put(i, span);
        size++;
    }

    private void remove(int i) {
        size--;
        int moved = size - i;
        System.arraycopy(spans, i + 1, spans, i, moved);
        System.arraycopy(begin, i + 1, begin, i, moved);
        System.arraycopy(leastOf, i + 1, leastOf, i, moved);
        System.arraycopy(mostOf, i + 1, mostOf, i, moved);
        spans[size] = null;
    }

    private BranchSpan splitOff(int cut) {
        var right = new BranchSpan(this, cut);
        Arrays.fill(spans, cut, size, null);
        size = cut;
        end = right.first;
        return right;
    }

    private void joinSmall(int i) {
        if (size < 2 || !span(i).isSmall()) {
            return;
        }
        int left = i + 1 < size ? i : i - 1;
        if (span(left).absorb(span(left + 1))) {
            put(left, span(left));
            remove(left + 1);
        }
    }

    private void measure() {
        int low = leastOf[0];
        int high = mostOf[0];
        for (int i = 1; i < size; i++) {
            low = Math.min(low, leastOf[i]);
            high = Math.max(high, mostOf[i]);
        }
        least = low + pending;
        most = high + pending;
        forgetRuns();
    }

    @Override
    int leastIn(long from, long to) {
        pushDown();
        int low = Integer.MAX_VALUE;
        for (int i = indexOf(from); i < size && begin[i] < to; i++) {
            boolean whole = from <= begin[i] && endOf(i) <= to;
            low = Math.min(low, whole ? leastOf[i] : span(i).leastIn(from, to));
        }
        return low;
    }

    @Override
    void fit(FitSearch search, int level) {
        pushDown();
        for (int i = indexOf(search.from); i < size && !search.isOver(begin[i]); i++) {
            if (leastOf[i] >= search.amount) {
                search.extend(begin[i], endOf(i));
            } else if (mostOf[i] < search.amount) {
                search.interrupt();
            } else if (level == NO_LEVEL || search.from > begin[i]) {
                span(i).fit(search, level);
            } else {
                passOver(i, search, level);
            }
        }
    }

    /** Continues a search over a span that is free in part; enters the span only if it holds a run that is long enough. */
    private void passOver(int i, FitSearch search, int level) {
        var span = span(i);
        span.ensureMeasured(level);
        long head = span.head(level);
        if (head > 0 && search.extend(begin[i], begin[i] + head)) {
            return;
        }
        search.interrupt();
        if (span.longest(level) >= search.length) {
            span.fit(search, level);
        } else if (span.tail(level) > 0) {
            search.extend(endOf(i) - span.tail(level), endOf(i));
        }
    }

    @Override
    void measureRuns(int level) {
        pushDown();
        long length = 0;
        long head = -1;
        long longest = 0;
        for (int i = 0; i < size; i++) {
            var span = span(i);
            span.ensureMeasured(level);
            length += span.head(level);
            if (span.head(level) < endOf(i) - begin[i]) {
                head = head < 0 ? length : head;
                longest = Math.max(longest, Math.max(length, span.longest(level)));
                length = span.tail(level);
            }
        }
        storeRuns(level, head < 0 ? length : head, Math.max(longest, length), length);
    }

    @Override
    void visit(long from, long to, Segments visitor) {
        pushDown();
        for (int i = indexOf(from); i < size && begin[i] < to; i++) {
            span(i).visit(from, to, visitor);
        }
    }

    @Override
    void append(ProfileSpan right) {
        var other = (BranchSpan) right;
        pushDown();
        other.pushDown();
        for (int i = 0; i < other.size; i++) {
            put(size++, other.span(i));
        }
        end = other.end;
        measure();
    }
}
