package org.metasched.adapter;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The starts at which one request would fit at one site, as ordered, disjoint intervals.
 *
 * @param version changes whenever the site's plan changes; opaque
 * @param starts the intervals, earliest first
 */
public record FreeWindows(String version, List<StartInterval> starts) {

    /** Every start from {@code earliest} to {@code latest}, both included, is feasible. */
    public record StartInterval(Instant earliest, Instant latest) {

        public StartInterval {
            if (latest.isBefore(earliest)) {
                throw new IllegalArgumentException(
                        "The latest start (" + latest + ") must not be before the earliest (" + earliest + ").");
            }
        }

        /** Whether the request may start at that instant; both ends of the interval count. */
        public boolean contains(Instant start) {
            return !start.isBefore(earliest) && !start.isAfter(latest);
        }
    }

    public FreeWindows {
        starts = List.copyOf(starts);
        for (int i = 1; i < starts.size(); i++) {
            if (!starts.get(i - 1).latest().isBefore(starts.get(i).earliest())) {
                throw new IllegalArgumentException("The start intervals must be ordered and disjoint, but "
                        + starts.get(i - 1) + " comes before " + starts.get(i) + ".");
            }
        }
    }

    /** The first feasible start at or after the given instant. {@code O(n)}. */
    public Optional<Instant> firstFrom(Instant notBefore) {
        return starts.stream()
                .filter(interval -> !interval.latest().isBefore(notBefore))
                .findFirst()
                .map(interval -> TimeSlot.later(interval.earliest(), notBefore));
    }
}
