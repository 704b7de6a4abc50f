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

    /** @param steady {@link System#nanoTime} at that time */
    private record Reading(Instant time, long steady) {

        Instant at(long steadyNow) {
            return time.plusNanos(steadyNow - steady);
        }
    }

    /** The clock that is measured. Until there is one, it is this clock, whose offset is zero. */
    private volatile Clock local = this;

    /** Its time is 1970 until the first answer. */
    private volatile Reading reading = new Reading(Instant.EPOCH, System.nanoTime());

    /**
     * Adjusts to a time of the database, unless it fits between question and answer already. Called by one thread.
     *
     * @param told time of the database
     * @param asked steady time before the question
     * @param answered steady time after the answer
     */
    void adjust(Instant told, long asked, long answered) {
        var known = reading;
        var off = told.isBefore(known.at(asked))
                ? Duration.between(known.at(asked), told)
                : told.isAfter(known.at(answered)) ? Duration.between(known.at(answered), told) : Duration.ZERO;
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
