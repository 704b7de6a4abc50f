package org.metasched.choice;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.metasched.adapter.FreeWindows.StartInterval;

/**
 * The starts that are possible at one place, in whole seconds since the epoch, as ordered and disjoint intervals with both ends
 * included. Immutable.
 */
public final class Starts {

    /** No start at all. */
    public static final Starts NONE = new Starts(new long[0]);

    private final long[] ends;

    private Starts(long[] ends) {
        this.ends = ends;
    }

    /**
     * Intervals given by their ends: first, last, first, last.
     *
     * @throws IllegalArgumentException when they are not ordered and disjoint
     */
    public static Starts of(long... firstsAndLasts) {
        if (firstsAndLasts.length % 2 != 0) {
            throw new IllegalArgumentException("An interval has two ends; there are " + firstsAndLasts.length + ".");
        }
        for (int i = 1; i < firstsAndLasts.length; i++) {
            long before = firstsAndLasts[i - 1];
            if (firstsAndLasts[i] < before || (i % 2 == 0 && firstsAndLasts[i] == before)) {
                throw new IllegalArgumentException("The starts must be ordered and disjoint, but " + firstsAndLasts[i]
                        + " comes after " + before + ".");
            }
        }
        return new Starts(firstsAndLasts.clone());
    }

    /** A site's windows; fractions of a second are left out. */
    public static Starts of(List<StartInterval> windows) {
        long[] ends = new long[2 * windows.size()];
        int size = 0;
        for (var window : windows) {
            long first = window.earliest().getEpochSecond() + (window.earliest().getNano() > 0 ? 1 : 0);
            long last = window.latest().getEpochSecond();
            if (first <= last && (size == 0 || ends[size - 1] < first)) {
                ends[size++] = first;
                ends[size++] = last;
            }
        }
        return new Starts(Arrays.copyOf(ends, size));
    }

    /**
     * Where at least so many of them are possible. {@code O(n log n)} in the intervals of all.
     *
     * @param count at least 1
     */
    static Starts atLeast(int count, List<Starts> all) {
        long[] firsts = all.stream()
                .flatMapToLong(s -> IntStream.range(0, s.size()).mapToLong(s::first))
                .sorted()
                .toArray();
        long[] lasts = all.stream()
                .flatMapToLong(s -> IntStream.range(0, s.size()).mapToLong(s::last))
                .sorted()
                .toArray();
        var ends = LongStream.builder();
        int opened = 0;
        for (int closed = 0; closed < lasts.length; closed++) {
            while (opened < firsts.length && firsts[opened] <= lasts[closed]) {
                if (++opened - closed == count) {
                    ends.add(firsts[opened - 1]);
                }
            }
            if (opened - closed == count) {
                ends.add(lasts[closed]);
            }
        }
        return new Starts(ends.build().toArray());
    }

    /** How many intervals there are. */
    public int size() {
        return ends.length / 2;
    }

    /** The first start of an interval. */
    public long first(int interval) {
        return ends[2 * interval];
    }

    /** The last start of an interval. */
    public long last(int interval) {
        return ends[2 * interval + 1];
    }

    /** The first interval that does not end before the instant; {@link #size()} if there is none. {@code O(log n)}. */
    public int from(long instant) {
        int low = 0;
        int high = size();
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (last(mid) < instant) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }

    /** Whether the start is possible. {@code O(log n)}. */
    public boolean contains(long start) {
        int i = from(start);
        return i < size() && first(i) <= start;
    }

    /** The first of these starts that is not before an instant, or {@link Long#MAX_VALUE}. {@code O(log n)}. */
    long next(long instant) {
        int i = from(instant);
        return i < size() ? Math.max(instant, first(i)) : Long.MAX_VALUE;
    }

    /** All of them so much earlier. {@code O(n)}, unless they stay. */
    Starts minus(long seconds) {
        return seconds == 0
                ? this
                : new Starts(Arrays.stream(ends).map(end -> end - seconds).toArray());
    }

    /** These starts without those in {@code [first, last]}. {@code O(n)}. */
    public Starts without(long first, long last) {
        long[] left = new long[ends.length + 2];
        int size = 0;
        for (int i = 0; i < size(); i++) {
            if (first(i) < first) {
                left[size++] = first(i);
                left[size++] = Math.min(last(i), first - 1);
            }
            if (last(i) > last) {
                left[size++] = Math.max(first(i), last + 1);
                left[size++] = last(i);
            }
        }
        return new Starts(Arrays.copyOf(left, size));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Starts starts && Arrays.equals(ends, starts.ends);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ends);
    }

    @Override
    public String toString() {
        return Arrays.toString(ends);
    }
}
