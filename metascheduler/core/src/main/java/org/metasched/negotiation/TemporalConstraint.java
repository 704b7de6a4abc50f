package org.metasched.negotiation;

import java.time.Duration;
import java.util.Optional;

/**
 * Bounds of the time from the start or end of one stage of a workflow to the start of another, which waits for it.
 *
 * @param from name of the stage that comes first
 * @param to name of the stage that waits
 * @param afterEnd whether the time counts from the end of the first stage, not from its start
 * @param least shortest wait; may be negative
 * @param most longest wait; empty if there is no bound
 */
public record TemporalConstraint(String from, String to, boolean afterEnd, Duration least, Optional<Duration> most) {

    public TemporalConstraint {
        if (most.filter(longest -> longest.compareTo(least) < 0).isPresent()) {
            throw new IllegalArgumentException("The longest wait (" + most.get() + ") of stage " + to + " for " + from
                    + " must not be shorter than the least (" + least + ").");
        }
    }

    /** A stage that begins at a fixed time from the start of another. */
    public static TemporalConstraint fixed(String from, String to, Duration offset) {
        return new TemporalConstraint(from, to, false, offset, Optional.of(offset));
    }
}
