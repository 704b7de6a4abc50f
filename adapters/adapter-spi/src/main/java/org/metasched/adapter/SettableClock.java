package org.metasched.adapter;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until it is moved: for simulations, and for tests of what depends on time. Its zone is UTC.
 * Thread-safe.
 */
public final class SettableClock extends Clock {

    private volatile Instant now;

    public SettableClock(Instant now) {
        this.now = now;
    }

    /** A clock that stands at an instant in ISO 8601, such as {@code 2026-01-05T08:00:00Z}. */
    public static SettableClock at(String instant) {
        return new SettableClock(Instant.parse(instant));
    }

    /** Moves to an instant, also to one in the past. */
    public synchronized void set(Instant instant) {
        now = instant;
    }

    /** Moves by a duration, which may be negative. */
    public synchronized void advance(Duration step) {
        now = now.plus(step);
    }

    /** Moves forwards; an instant in the past is a programming error. */
    public synchronized void advanceTo(Instant instant) {
        if (instant.isBefore(now)) {
            throw new IllegalStateException("The clock is at " + now + " and cannot go back to " + instant + ".");
        }
        now = instant;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** Returns this clock: only instants are read from it, so that the zone does not matter. */
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
