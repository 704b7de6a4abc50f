package org.metasched.adapter;

/** State of an advance reservation at its site. */
public enum ReservationState {
    /** Confirmed; its slot has not begun. */
    RESERVED,
    /** The slot has begun. */
    ACTIVE,
    /** The slot has passed. */
    FINISHED,
    /** Given up, by us or by the site. */
    CANCELLED;

    /** Whether the site still sets something aside for it. */
    public boolean isHeld() {
        return this == RESERVED || this == ACTIVE;
    }

    /** Whether a reservation that was seen in this state may be seen in the other one next; false for the same state. */
    public boolean mayBecome(ReservationState next) {
        return switch (this) {
            case RESERVED -> next != RESERVED;
            case ACTIVE -> next == FINISHED || next == CANCELLED;
            case FINISHED, CANCELLED -> false;
        };
    }
}
