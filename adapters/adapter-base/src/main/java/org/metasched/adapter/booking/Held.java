package org.metasched.adapter.booking;

import java.util.Optional;
import org.metasched.adapter.ReservationStatus;

/**
 * What a scheduler says about one reservation of ours.
 *
 * @param status as the caller sees it
 * @param owner the local user it belongs to, where the scheduler tells
 * @param confirmed whether the scheduler has promised it; one that it still thinks about is nobody's yet
 */
public record Held(ReservationStatus status, Optional<String> owner, boolean confirmed) {

    public Held(ReservationStatus status, Optional<String> owner) {
        this(status, owner, true);
    }

    public boolean isHeld() {
        return status.state().isHeld();
    }
}
