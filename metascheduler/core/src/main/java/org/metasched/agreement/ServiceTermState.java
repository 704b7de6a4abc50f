package org.metasched.agreement;

import org.metasched.adapter.ReservationState;

/** State of a service of an agreement: not ready before the slot of its reservation, ready in it, completed after it. */
public enum ServiceTermState {
    NOT_READY("NotReady"),
    READY("Ready"),
    COMPLETED("Completed");

    private final String term;

    ServiceTermState(String term) {
        this.term = term;
    }

    /** The word that the specification writes. */
    public String term() {
        return term;
    }

    /** Whether a service term in this state may go over to the other one. No state follows itself. */
    public boolean mayBecome(ServiceTermState next) {
        return switch (this) {
            case NOT_READY -> next != NOT_READY;
            case READY -> next != READY;
            case COMPLETED -> false;
        };
    }

    /** The state of a service with this reservation. The service of a cancelled one is not ready: nothing was delivered. */
    static ServiceTermState of(ReservationState reservation) {
        return switch (reservation) {
            case RESERVED, CANCELLED -> NOT_READY;
            case ACTIVE -> READY;
            case FINISHED -> COMPLETED;
        };
    }
}
