package org.metasched.trust;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Processor time for messages whose senders are not known yet, by address. An address has two seconds at once, and a twentieth of a core
 * in the long run. Messages that are accepted cost nothing of it. Bounded; thread-safe.
 */
public final class StrangerBudget {

    /** An address has one of so many parts of a core in the long run. */
    private static final int SHARE = 20;
    /** Time in which an address gets its budget of two seconds back. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(2L * SHARE);
    /** Highest cost of a byte until its sender is known, in nanoseconds of the processor; reserved while a message is read. */
    private static final long NANOS_A_BYTE = 50;

    /** Instant at which an address has its full budget again, by address. */
    private final Map<String, Instant> rested = new ConcurrentHashMap<>();

    private final Clock clock;

    StrangerBudget(Clock clock) {
        this.clock = clock;
    }

    /**
     * Reserves time for a message until {@link #settle}.
     *
     * @return nanoseconds; negative when the address has none left
     */
    public long reserve(String address, long bytes) {
        long cost = bytes * NANOS_A_BYTE;
        if (add(address, cost).minusNanos(cost * SHARE).isAfter(clock.instant().plus(LONGEST_REST))) {
            add(address, -cost);
            return -1;
        }
        return cost;
    }

    /**
     * Replaces the reserved cost by the used time.
     *
     * @param used nanoseconds of the processor; 0 if the message was accepted
     */
    public void settle(String address, long cost, long used) {
        add(address, used - cost);
    }

    private Instant add(String from, long nanos) {
        String address = NetworkPrefix.ofConnection(from);
        Instant now = clock.instant();
        AttemptCounter.bound(rested, now::isAfter);
        return rested.compute(
                address,
                (same, until) -> (until == null || until.isBefore(now) ? now : until).plusNanos(nanos * SHARE));
    }
}
