package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;

/** A local job that waits, and its place in the plan if it has one. */
final class QueuedJob {

    final int nodes;
    final Duration run;
    final Duration estimate;
    private Optional<Place> place = Optional.empty();

    /** @param slot as long as the estimate */
    record Place(TimeSlot slot, BitSet nodes) {}

    QueuedJob(int nodes, Duration run, Duration estimate) {
        this.nodes = nodes;
        this.run = run;
        this.estimate = estimate;
    }

    Optional<Place> place() {
        return place;
    }

    void placeAt(Optional<Place> newPlace) {
        place = newPlace;
    }

    boolean isDue(Instant now) {
        return place.isPresent() && !place.get().slot().start().isAfter(now);
    }
}
