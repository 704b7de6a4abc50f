package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import org.metasched.adapter.PreviewWindow;

/**
 * Conversion of a workload's seconds to instants at the site. All instants are on the site's grid, so that a booking,
 * which is widened to the grid, fits exactly where its request fits.
 *
 * @param origin the instant that {@code second} becomes; on the grid
 * @param second second of the workload
 * @param speed seconds of the trace in one second at the site; jobs get shorter by the same factor
 * @param window preview window with the grid of the site
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
}
