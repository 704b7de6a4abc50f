package org.metasched.adapter.support;

import java.util.Optional;
import org.metasched.adapter.ReservationStatus;

/**
 * What a scheduler says about one reservation of ours.
 *
 * @param status as the caller sees it
 * @param owner the local user it belongs to, where the scheduler tells
 */
public record Held(ReservationStatus status, Optional<String> owner) {

    public boolean isHeld() {
        return status.state().isHeld();
    }
}
