package org.metasched.agreement;

import java.time.Duration;
import java.util.Optional;

/**
 * A penalty or a reward of a guarantee term. A penalty is due once for each assessment interval in which the guarantee was violated; a
 * reward, once for each in which it was fulfilled and never violated.
 *
 * @param every length of an assessment interval; if empty, an interval is {@code count} assessments long
 * @param count number of assessments of an interval, counting those in which the state was determined; 0 if {@code every} is set
 * @param unit unit of the value, or empty
 * @param value an expression in the language of guarantee terms
 */
public record Compensation(Kind kind, Optional<Duration> every, int count, String unit, String value) {

    /** Kind of a compensation: a penalty is due after a violation, a reward after fulfilment. */
    public enum Kind {
        PENALTY(GuaranteeState.VIOLATED),
        REWARD(GuaranteeState.FULFILLED);

        private final GuaranteeState dueAfter;

        Kind(GuaranteeState dueAfter) {
            this.dueAfter = dueAfter;
        }
    }

    public Compensation {
        if (every.isPresent() ? every.get().compareTo(Duration.ofSeconds(1)) < 0 : count < 1) {
            throw new IllegalArgumentException("An assessment interval ("
                    + every.map(Duration::toString).orElse(Integer.toString(count))
                    + ") must be at least a second or one assessment long.");
        }
    }

    /** Whether an interval with this worst state makes it due. */
    boolean isDueAfter(GuaranteeState worst) {
        return kind.dueAfter == worst;
    }
}
