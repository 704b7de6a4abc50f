package org.metasched.agreement;

import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;
import org.metasched.adapter.TimeSlot;

/**
 * State of one compensation: its present assessment interval, and what was due after earlier ones. An interval in which the
 * guarantee's state was never determined makes nothing due.
 *
 * @param interval position. If intervals are spans of time: the number of the present one, from 0 at the start of the slot; an assessment
 *     before the slot belongs to the first, one after it to the last. If intervals are counts of assessments: how many the present one has
 *     so far. The name fits only the first case; it is kept because it is stored
 * @param worst worst state assessed in the present interval
 * @param worth amount that is due if the interval ends in that state, evaluated when the state was reached, in the compensation's unit
 * @param times number of times that the compensation was due
 * @param total sum of the amounts that were due, in the compensation's unit
 */
public record CompensationAssessment(long interval, GuaranteeState worst, double worth, int times, double total) {

    static final CompensationAssessment NONE = new CompensationAssessment(0, GuaranteeState.NOT_DETERMINED, 0, 0, 0);

    /**
     * The assessment after one more poll.
     *
     * @param state state of the guarantee at this poll
     * @param slot slot of the agreement
     * @param value computes the amount; called only if it may become due
     */
    public CompensationAssessment assessed(
            Compensation compensation, GuaranteeState state, TimeSlot slot, Instant now, DoubleSupplier value) {
        if (state == GuaranteeState.NOT_DETERMINED && worst == state) {
            return this;
        }
        if (compensation.every().isEmpty()) {
            // Assessments with a determined state count, and the interval ends with the last of them.
            long count = state == GuaranteeState.NOT_DETERMINED ? interval : interval + 1;
            var counted =
                    new CompensationAssessment(count, worst, worth, times, total).withState(compensation, state, value);
            return counted.interval < compensation.count() ? counted : counted.ended(compensation, 0);
        }
        var every = compensation.every().get();
        long last = slot.length().minusMillis(1).dividedBy(every);
        long elapsed = Duration.between(slot.start(), now).dividedBy(every);
        // A clock that steps back begins no earlier interval again.
        long present = Math.max(interval, Math.min(elapsed, last));
        return (present == interval ? this : ended(compensation, present)).withState(compensation, state, value);
    }

    /** The assessment after the end of the agreement: it ends an interval with a length in time, and not one of counted assessments. */
    CompensationAssessment atEnd(Compensation compensation) {
        return compensation.every().isEmpty() ? this : ended(compensation, interval);
    }

    private CompensationAssessment ended(Compensation compensation, long next) {
        boolean due = compensation.isDueAfter(worst);
        return new CompensationAssessment(
                next, GuaranteeState.NOT_DETERMINED, 0, due ? times + 1 : times, due ? total + worth : total);
    }

    private CompensationAssessment withState(Compensation compensation, GuaranteeState state, DoubleSupplier value) {
        return state.compareTo(worst) <= 0
                ? this
                : new CompensationAssessment(
                        interval, state, compensation.isDueAfter(state) ? value.getAsDouble() : 0, times, total);
    }
}
