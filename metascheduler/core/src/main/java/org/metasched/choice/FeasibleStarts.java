package org.metasched.choice;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.metasched.adapter.FreeWindows.StartInterval;

/**
 * The starts that are possible at one place, in whole seconds since the epoch, as ordered and disjoint intervals with both ends
 * included. Immutable.
 */
public final class FeasibleStarts {

    /** The set without a start. */
    public static final FeasibleStarts NONE = new FeasibleStarts(new long[0]);

    /** Fewest cells of time in which {@link #where} counts starts. */
    private static final int LEAST_CELLS = 1 << 16;

    /** Most cells of time in which {@link #where} counts starts. */
    private static final int MOST_CELLS = 1 << 22;

    private final long[] ends;

    private FeasibleStarts(long[] ends) {
        this.ends = ends;
    }

    /**
     * Intervals given by their ends: first, last, first, last.
     *
     * @throws IllegalArgumentException when they are not ordered and disjoint
     */
    public static FeasibleStarts of(long... firstsAndLasts) {
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
        return new FeasibleStarts(firstsAndLasts.clone());
    }

    /** The whole seconds in a site's windows, which are ordered and disjoint, all moved to an earlier time by a duration. */
    public static FeasibleStarts of(List<StartInterval> windows, Duration earlier) {
        long[] ends = new long[2 * windows.size()];
        int size = 0;
        for (var window : windows) {
            Instant earliest = window.earliest().minus(earlier);
            long first = earliest.getEpochSecond() + (earliest.getNano() > 0 ? 1 : 0);
            long last = window.latest().minus(earlier).getEpochSecond();
            if (first <= last) {
                ends[size++] = first;
                ends[size++] = last;
            }
        }
        return new FeasibleStarts(Arrays.copyOf(ends, size));
    }

    /**
     * The subset of these starts at which at least {@code count} of the others are possible, too. Counts in {@value #LEAST_CELLS} cells of time, or
     * up to {@value #MOST_CELLS} for many intervals. If cells are longer than a second, starts close to such a start may be kept as well.
     * {@code O(n)} in all intervals.
     */
    FeasibleStarts where(int count, List<FeasibleStarts> others) {
        return where(count, others, Collections.nCopies(others.size(), 1));
    }

    /** Like {@link #where(int, List)}, but the others that are possible must together have at least the weight {@code least}, from 1. */
    FeasibleStarts where(int least, List<FeasibleStarts> others, List<Integer> weights) {
        if (ends.length == 0) {
            return this;
        }
        long from = ends[0];
        long until = ends[ends.length - 1];
        long windows = others.stream().mapToLong(FeasibleStarts::size).sum();
        long cells = Math.max(LEAST_CELLS, Math.min(MOST_CELLS, 4 * windows));
        int shift = Math.max(0, 64 - Long.numberOfLeadingZeros((until - from) / cells));
        int[] changes = new int[(int) (until - from >>> shift) + 2];
        for (int o = 0; o < others.size(); o++) {
            var other = others.get(o);
            int weightOfOther = weights.get(o);
            for (int i = weightOfOther == 0 ? other.size() : other.from(from);
                    i < other.size() && other.first(i) <= until;
                    i++) {
                changes[(int) (Math.max(0, other.first(i) - from) >>> shift)] += weightOfOther;
                changes[(int) (Math.min(until, other.last(i)) - from >>> shift) + 1] -= weightOfOther;
            }
        }
        var enough = LongStream.builder();
        int weight = 0;
        for (int cell = 0; cell < changes.length; cell++) {
            boolean wasEnough = weight >= least;
            weight += changes[cell];
            if (wasEnough != (weight >= least)) {
                enough.add(from + ((long) cell << shift) - (wasEnough ? 1 : 0));
            }
        }
        return intersection(new FeasibleStarts(enough.build().toArray()));
    }

    private FeasibleStarts intersection(FeasibleStarts other) {
        var both = LongStream.builder();
        for (int i = 0, j = 0; i < size() && j < other.size(); ) {
            long first = Math.max(first(i), other.first(j));
            long last = Math.min(last(i), other.last(j));
            if (first <= last) {
                both.add(first).add(last);
            }
            if (last(i) < other.last(j)) {
                i++;
            } else {
                j++;
            }
        }
        return new FeasibleStarts(both.build().toArray());
    }

    /** The last start of all; {@link Long#MIN_VALUE} if there is none. */
    long last() {
        return ends.length == 0 ? Long.MIN_VALUE : ends[ends.length - 1];
    }

    /** Number of intervals. */
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
        // Equal ends are those of one interval.
        int at = Arrays.binarySearch(ends, instant);
        return (at < 0 ? ~at : at) / 2;
    }

    /** Whether the start is possible. {@code O(log n)}. */
    public boolean contains(long start) {
        int i = from(start);
        return i < size() && first(i) <= start;
    }

    /** The first of these starts that is not before an instant, or {@link Long#MAX_VALUE}. {@code O(log n)}. */
    public long next(long instant) {
        int i = from(instant);
        return i < size() ? Math.max(instant, first(i)) : Long.MAX_VALUE;
    }

    /** All starts moved to an earlier time by some seconds. {@code O(n)}, for 0 seconds {@code O(1)}. */
    FeasibleStarts minus(long seconds) {
        return seconds == 0
                ? this
                : new FeasibleStarts(
                        Arrays.stream(ends).map(end -> end - seconds).toArray());
    }

    /** These starts without those in {@code [first, last]}. {@code O(n)}. */
    public FeasibleStarts without(long first, long last) {
        long[] rest = new long[ends.length + 2];
        int size = 0;
        for (int i = 0; i < size(); i++) {
            if (first(i) < first) {
                rest[size++] = first(i);
                rest[size++] = Math.min(last(i), first - 1);
            }
            if (last(i) > last) {
                rest[size++] = Math.max(first(i), last + 1);
                rest[size++] = last(i);
            }
        }
        return new FeasibleStarts(Arrays.copyOf(rest, size));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeasibleStarts starts && Arrays.equals(ends, starts.ends);
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
