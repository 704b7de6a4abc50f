package org.metasched.adapter.booking;

import org.metasched.adapter.ReservationStatus;

/**
 * A reservation that was made here, as the scheduler lists it.
 *
 * @param status the status for the caller
 * @param confirmed whether the scheduler has granted it; a listed request that it has not decided on is not confirmed
 */
public record SchedulerReservation(ReservationStatus status, boolean confirmed) {

    public SchedulerReservation(ReservationStatus status) {
        this(status, true);
    }

    public boolean isHeld() {
        return status.state().isHeld();
    }
}
