package org.metasched.adapter.booking;

import java.time.Duration;
import java.time.Instant;
import org.metasched.adapter.TimeSlot;

/**
 * Whole multiples of a unit since the epoch: the instants at which a site books.
 *
 * @param unit at least one second
 */
record BookingGrid(Duration unit) {

    /** The interval of the grid that covers what was asked. */
    TimeSlot covering(Instant start, Duration duration) {
        return new TimeSlot(floor(start), ceiling(start.plus(duration)));
    }

    Instant ceiling(Instant instant) {
        long seconds = unit.toSeconds();
        Instant down = Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
        return down.equals(instant) ? instant : down.plus(unit);
    }

    Instant floor(Instant instant) {
        Instant up = ceiling(instant);
        return up.equals(instant) ? instant : up.minus(unit);
    }
}
