package org.metasched.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Time as the database of several servers tells it. Between two answers, and while the database is away, it goes on with the steady clock
 * of this machine, so that nothing depends on how its wall clock is set. Thread-safe.
 */
final class DatabaseClock extends Clock {

    /** @param steady {@link System#nanoTime} then */
    private record Reading(Instant time, long steady) {

        Instant at(long then) {
            return time.plusNanos(then - steady);
        }
    }

    /** The clock of this process. */
    private volatile Clock local = this;

    private volatile Reading reading = new Reading(Instant.EPOCH, System.nanoTime());

    /** Adjusts to the time that the database told between two steady times; a slow answer alone changes nothing. Called by one thread. */
    void adjust(Instant there, long after, long before) {
        var known = reading;
        var off = there.isBefore(known.at(after))
                ? Duration.between(known.at(after), there)
                : there.isAfter(known.at(before)) ? Duration.between(known.at(before), there) : Duration.ZERO;
        if (!off.isZero()) {
            reading = new Reading(known.time().plus(off), known.steady());
        }
    }

    /** Measures a clock from now on. */
    void measure(Clock clock) {
        local = clock;
    }

    /** The time by which the measured clock is ahead; negative when it is behind. */
    Duration offset() {
        return Duration.between(instant(), local.instant());
    }

    @Override
    public Instant instant() {
        return reading.at(System.nanoTime());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("The database tells no zone.");
    }
}
