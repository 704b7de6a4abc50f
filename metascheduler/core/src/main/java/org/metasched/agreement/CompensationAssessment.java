package org.metasched.agreement;

import java.time.Instant;
import java.util.function.DoubleSupplier;
import org.metasched.adapter.TimeSlot;

/**
 * State of one compensation: the assessment interval that goes on, and what was due after those that ended. An interval of which
 * nothing was told makes nothing due.
 *
 * @param interval number of the present interval, counted from the start of the slot: what is seen before the slot counts in the first, and
 *     after it in the last; of assessments in it, if it is counted by them
 * @param worst of the states assessed in it
 * @param worth what will be due if it ends as it is, evaluated when it became so
 * @param times number of times that it was due
 * @param total of what was due, in the compensation's unit
 */
public record CompensationAssessment(long interval, GuaranteeState worst, double worth, int times, double total) {

    static final CompensationAssessment NONE = new CompensationAssessment(0, GuaranteeState.NOT_DETERMINED, 0, 0, 0);

    public CompensationAssessment looked(
            Compensation compensation, GuaranteeState state, TimeSlot slot, Instant now, DoubleSupplier value) {
        if (state == GuaranteeState.NOT_DETERMINED && worst == state) {
            return this;
        }
        if (compensation.every().isEmpty()) {
            boolean told = state != GuaranteeState.NOT_DETERMINED;
            var looked = in(told ? interval + 1 : interval).withState(compensation, state, value);
            return looked.interval < compensation.count() ? looked : looked.ended(compensation, 0);
        }
        long every = compensation.every().get().toMillis();
        long last = (slot.length().toMillis() - 1) / every;
        long since = Math.floorDiv(now.toEpochMilli() - slot.start().toEpochMilli(), every);
        long present = Math.max(0, Math.min(since, last));
        return (present == interval ? this : ended(compensation, present)).withState(compensation, state, value);
    }

    /** The agreement has ended, and with it the interval, if it had a length. */
    CompensationAssessment last(Compensation compensation) {
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

    private CompensationAssessment in(long number) {
        return new CompensationAssessment(number, worst, worth, times, total);
    }
}
