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

    public static TimeSlot of(Instant start, Duration length) {
        return new TimeSlot(start, start.plus(length));
    }

    public Duration length() {
        return Duration.between(start, end);
    }

    public boolean contains(Instant instant) {
        return !instant.isBefore(start) && instant.isBefore(end);
    }

    public boolean covers(TimeSlot other) {
        return !other.start.isBefore(start) && !other.end.isAfter(end);
    }

    public boolean overlaps(TimeSlot other) {
        return start.isBefore(other.end) && other.start.isBefore(end);
    }
}
