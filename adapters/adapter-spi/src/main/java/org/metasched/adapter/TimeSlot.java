package org.metasched.adapter;

import java.time.Duration;
import java.time.Instant;

/** A half-open span of time {@code [start, end)}, never empty. */
public record TimeSlot(Instant start, Instant end) {

    public TimeSlot {
        if (!start.isBefore(end)) {
            throw new IllegalArgumentException(
                    "The end of the slot (" + end + ") must be after its start (" + start + ").");
        }
    }

    /**
     * The slot from a start on for a length.
     *
     * @throws IllegalArgumentException if the length is not positive
     */
    public static TimeSlot of(Instant start, Duration length) {
        return new TimeSlot(start, start.plus(length));
    }

    public static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    public static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** End less start; always positive. */
    public Duration length() {
        return Duration.between(start, end);
    }

    /** Whether the instant is in the slot; its end is not. */
    public boolean contains(Instant instant) {
        return !instant.isBefore(start) && instant.isBefore(end);
    }

    /** Whether the other slot lies in this one; it may have the same start or end. */
    public boolean covers(TimeSlot other) {
        return !other.start.isBefore(start) && !other.end.isAfter(end);
    }

    /** Whether the two have an instant in common; slots that only touch have none. */
    public boolean overlaps(TimeSlot other) {
        return start.isBefore(other.end) && other.start.isBefore(end);
    }
}
