package org.metasched.adapter;

import java.util.List;

/**
 * Status of a reservation at the moment of a query.
 *
 * @param state its state now
 * @param reservation the reservation as it is held now; its nodes may have been replaced since it was made
 * @param lostNodes nodes of the reservation that are down and not replaced; not empty means degraded
 * @param detail the scheduler's own words, or an empty text
 */
public record ReservationStatus(
        ReservationState state, Reservation reservation, List<String> lostNodes, String detail) {

    public ReservationStatus {
        lostNodes = List.copyOf(lostNodes);
    }

    public ReservationStatus(ReservationState state, Reservation reservation) {
        this(state, reservation, List.of(), "");
    }

    /** Whether nodes of the reservation are down and not replaced. */
    public boolean isDegraded() {
        return !lostNodes.isEmpty();
    }
}
