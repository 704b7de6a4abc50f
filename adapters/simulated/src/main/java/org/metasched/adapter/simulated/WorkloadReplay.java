package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import org.metasched.adapter.PreviewWindow;

/**
 * How the seconds of a workload become instants at the site. Everything falls on the site's grid, so that a request that is
 * booked as the interval of the grid that covers it fits exactly where the request itself fits.
 *
 * @param origin the instant that {@code second} becomes; on the grid
 * @param second of the workload
 * @param speed seconds of the trace in one second at the site; jobs get shorter by the same factor
 * @param window with the grid of the site
 */
record WorkloadReplay(Instant origin, long second, int speed, PreviewWindow window) {

    Instant at(long workloadSecond) {
        return window.floor(origin.plusMillis(Math.floorDiv((workloadSecond - second) * 1000, speed)));
    }

    Duration lasting(long workloadSeconds) {
        var length = Duration.ofMillis(workloadSeconds * 1000 / speed);
        Duration grid = window.grid();
        long steps = Math.max(1, (length.toMillis() + grid.toMillis() - 1) / grid.toMillis());
        return grid.multipliedBy(steps);
    }

    /** @throws IllegalArgumentException when the grid is not whole seconds */
    static void checkGrid(PreviewWindow window) {
        if (window.grid().getNano() != 0) {
            throw new IllegalArgumentException("The time grid (" + window.grid() + ") must be whole seconds.");
        }
    }
}
