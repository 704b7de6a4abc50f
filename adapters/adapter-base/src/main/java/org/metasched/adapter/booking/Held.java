package org.metasched.adapter.booking;

import org.metasched.adapter.ReservationStatus;

/**
 * What a scheduler says about one reservation of ours.
 *
 * @param status as the caller sees it
 * @param confirmed whether the scheduler has promised it; one that it still thinks about is nobody's yet
 */
public record Held(ReservationStatus status, boolean confirmed) {

    public Held(ReservationStatus status) {
        this(status, true);
    }

    public boolean isHeld() {
        return status.state().isHeld();
    }
}
