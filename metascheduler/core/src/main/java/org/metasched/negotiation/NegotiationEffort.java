package org.metasched.negotiation;

import java.time.Duration;

/**
 * The cost of a negotiation.
 *
 * @param rounds question rounds of the search, all attempts together
 * @param calls messages to sites of any kind
 * @param attempts times that reservations were asked for
 * @param took wall time
 */
public record NegotiationEffort(int rounds, int calls, int attempts, Duration took) {

    public static final NegotiationEffort NONE = new NegotiationEffort(0, 0, 0, Duration.ZERO);

    /** The effort in words, on one line. */
    public String words() {
        return counted(rounds, "round") + ", " + counted(calls, "call") + ", " + counted(attempts, "attempt") + ", "
                + took.toMillis() + " ms";
    }

    private static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }
}
