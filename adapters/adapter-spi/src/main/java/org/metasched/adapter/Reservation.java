package org.metasched.adapter;

import java.util.List;

/**
 * An advance reservation <em>as the local scheduler holds it</em>, never as it was requested (rule R1).
 *
 * @param id the scheduler's own name for it
 * @param key the request key under which it was made
 * @param slot the time that is really held; wider than requested if the site books whole units of time
 * @param granted kind, amount and properties that are really held
 * @param nodeNames the nodes, in the scheduler's order, or empty if it does not name them yet
 */
public record Reservation(ReservationId id, RequestKey key, TimeSlot slot, Need granted, List<String> nodeNames) {

    public Reservation {
        nodeNames = List.copyOf(nodeNames);
    }

    /** Whether the other reservation holds the same amount for the same time, on any nodes. */
    public boolean holdsAs(Reservation other) {
        return slot.equals(other.slot) && granted.amount() == other.granted.amount();
    }
}
