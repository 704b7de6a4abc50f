package org.metasched.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of a server that has its database for itself, so nothing to compare its machine's clock with. When that clock is set by more than
 * {@link ClusterNode#MOST_OFFSET}, this one goes on with the steady clock, and follows once the new time has lasted for {@link #STEPOUT}: an
 * agreement is not judged by a time that is mended within seconds. After the stepout threshold of RFC 5905, section 11.3. Thread-safe.
 */
final class StepoutClock extends Clock {

    /** Time for which a step must last. */
    static final Duration STEPOUT = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(StepoutClock.class);

    private final Clock machine;
    private final LongSupplier steady;

    /** The last time of the machine that was believed, and the steady time then. */
    private Instant known;

    private long knownAt;

    /** By how much the machine's clock was set, or zero, and the steady time when that was seen. */
    private Duration step = Duration.ZERO;

    private long stepAt;

    /** @param steady such as {@link System#nanoTime} */
    StepoutClock(Clock machine, LongSupplier steady) {
        this.machine = machine;
        this.steady = steady;
        known = machine.instant();
        knownAt = steady.getAsLong();
    }

    @Override
    public synchronized Instant instant() {
        long now = steady.getAsLong();
        Instant shown = machine.instant();
        Instant expected = known.plusNanos(now - knownAt);
        var ahead = Duration.between(expected, shown);
        if (isNear(ahead, Duration.ZERO) || isLasting(ahead, now)) {
            known = shown;
            knownAt = now;
            step = Duration.ZERO;
        }
        return step.isZero() ? shown : expected;
    }

    /** Whether the clock was set by this long ago enough. */
    private boolean isLasting(Duration ahead, long now) {
        if (step.isZero() || !isNear(ahead, step)) {
            step = ahead;
            stepAt = now;
            LOG.warn(
                    "The clock of this machine was set by {} s; the server follows when that has lasted for {} s",
                    ahead.toMillis() / 1000.0,
                    STEPOUT.toSeconds());
        }
        return now - stepAt >= STEPOUT.toNanos();
    }

    private static boolean isNear(Duration one, Duration other) {
        return one.minus(other).abs().compareTo(ClusterNode.MOST_OFFSET) <= 0;
    }

    @Override
    public ZoneId getZone() {
        return machine.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("This clock has the zone of its machine's.");
    }
}
