package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;

/**
 * Limits of one negotiation, fixed at its start, so that it ends whatever the sites answer.
 *
 * @param lead time from now to the first start that is searched, so that no reservation begins while it is being made
 * @param mostRounds most rounds of questions, all attempts together
 * @param mostAttempts most attempts to make all reservations
 * @param longest real time after which no further attempt begins
 * @param pause longest pause before another attempt; its length is random, so that two metaschedulers do not keep in step
 */
public record NegotiationBudget(Duration lead, int mostRounds, int mostAttempts, Duration longest, Duration pause) {

    public static final NegotiationBudget DEFAULT =
            new NegotiationBudget(Duration.ofSeconds(10), 1000, 1000, Duration.ofMinutes(2), Duration.ofMillis(200));

    public NegotiationBudget {
        if (lead.isNegative() || pause.isNegative()) {
            throw new IllegalArgumentException(
                    "The lead (" + lead + ") and the pause (" + pause + ") must not be negative.");
        }
        if (mostRounds < 1 || mostAttempts < 1) {
            throw new IllegalArgumentException(
                    "The rounds (" + mostRounds + ") and attempts (" + mostAttempts + ") must be at least 1.");
        }
        if (longest.isNegative() || longest.isZero()) {
            throw new IllegalArgumentException("The longest negotiation (" + longest + ") must be positive.");
        }
    }

    /** The first start that is searched; a request that leaves less time than the lead is tried all the same. */
    Instant firstStart(Instant now, Instant latestStart) {
        var afterLead = now.plus(lead);
        return latestStart.isBefore(afterLead) && !latestStart.isBefore(now) ? latestStart : afterLead;
    }
}
