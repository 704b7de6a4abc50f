package org.metasched.adapter;

import java.time.Duration;
import java.time.Instant;

/**
 * The time ahead for which a site shows its free slots, and the grid of its bookings.
 *
 * @param lookAhead time from now up to the last start that the site offers
 * @param grid time unit of bookings, in whole seconds: starts and ends are whole multiples of it since the epoch. A request
 *     off the grid is booked as the interval of the grid that covers it, and is not answered with a rounded start (rule A2)
 */
public record PreviewWindow(Duration lookAhead, Duration grid) {

    public PreviewWindow {
        if (lookAhead.isNegative() || lookAhead.isZero()) {
            throw new IllegalArgumentException("The look-ahead (" + lookAhead + ") must be positive.");
        }
        if (grid.compareTo(Duration.ofSeconds(1)) < 0 || grid.getNano() != 0) {
            throw new IllegalArgumentException("The time grid (" + grid + ") must be whole seconds, at least one.");
        }
    }

    public PreviewWindow(Duration lookAhead) {
        this(lookAhead, Duration.ofSeconds(1));
    }

    /** Reads the settings {@code look-ahead}, seven days unless it is set, and {@code grid}. */
    public static PreviewWindow from(Settings settings, Duration usualGrid) {
        Duration lookAhead = settings.positiveDuration("look-ahead", Duration.ofDays(7));
        Duration grid = settings.positiveDuration("grid", usualGrid);
        return settings.checked("grid", () -> new PreviewWindow(lookAhead, grid));
    }

    /** The last instant of the grid that is not after the given one. */
    public Instant floor(Instant instant) {
        return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), grid.toSeconds()) * grid.toSeconds());
    }

    /** The first instant of the grid that is not before the given one. */
    public Instant ceiling(Instant instant) {
        Instant floor = floor(instant);
        return floor.equals(instant) ? instant : floor.plusSeconds(grid.toSeconds());
    }

    /** The interval of the grid that covers a request. */
    public TimeSlot covering(Instant start, Duration length) {
        return new TimeSlot(floor(start), ceiling(start.plus(length)));
    }

    /** The last start that the site offers at the instant {@code now}. */
    public Instant endFrom(Instant now) {
        return now.plus(lookAhead);
    }
}
