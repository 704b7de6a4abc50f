package org.metasched.negotiation;

import java.time.Duration;
import org.metasched.adapter.DisplayText;

/**
 * The cost of a negotiation.
 *
 * @param rounds rounds of questions, all attempts together
 * @param calls messages to sites of any kind
 * @param attempts attempts to make all reservations
 * @param took elapsed real time
 */
public record NegotiationEffort(int rounds, int calls, int attempts, Duration took) {

    public static final NegotiationEffort NONE = new NegotiationEffort(0, 0, 0, Duration.ZERO);

    /** The effort in words, on one line. */
    public String words() {
        return DisplayText.count(rounds, "round") + ", " + DisplayText.count(calls, "call") + ", "
                + DisplayText.count(attempts, "attempt") + ", " + took.toMillis() + " ms";
    }
}
