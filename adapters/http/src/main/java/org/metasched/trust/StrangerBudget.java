package org.metasched.trust;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Processor time for messages whose senders are not known yet, by address: two seconds at once, and a twentieth of a core in the long run.
 * Messages of senders who prove who they are cost nothing of it. Bounded; thread-safe.
 */
public final class StrangerBudget {

    private static final int SHARE = 20;
    private static final Duration LONGEST_REST = Duration.ofSeconds(2L * SHARE);
    /** Highest cost of a byte until its sender is known; kept free for messages that are being read at the same time. */
    private static final long NANOS_A_BYTE = 50;

    /** When an address has rested from what it has spent. */
    private final Map<String, Instant> rested = new ConcurrentHashMap<>();

    private final Clock clock;

    StrangerBudget(Clock clock) {
        this.clock = clock;
    }

    /** @return the time that is kept free for a message until {@link #settle}; negative when the address has none left */
    public long keep(String address, long bytes) {
        long kept = bytes * NANOS_A_BYTE;
        if (add(address, kept).minusNanos(kept * SHARE).isAfter(clock.instant().plus(LONGEST_REST))) {
            add(address, -kept);
            return -1;
        }
        return kept;
    }

    /** @param used nanoseconds of the processor; none when the sender is known now */
    public void settle(String address, long kept, long used) {
        add(address, used - kept);
    }

    private Instant add(String from, long nanos) {
        String address = NetworkPrefix.line(from);
        Instant now = clock.instant();
        AttemptCounter.bound(rested, now::isAfter);
        return rested.compute(
                address,
                (same, until) -> (until == null || until.isBefore(now) ? now : until).plusNanos(nanos * SHARE));
    }
}
