package org.metasched.simulation;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that jumps from event to event, and never back. Written by one thread, read by any. */
final class VirtualClock extends Clock {

    private volatile Instant now;

    VirtualClock(Instant begin) {
        this.now = begin;
    }

    void advanceTo(Instant instant) {
        if (instant.isBefore(now)) {
            throw new IllegalStateException(
                    "The virtual clock is at " + now + " and cannot go back to " + instant + ".");
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

    /** Only instants are read, so that the zone does not matter. */
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
