package org.metasched.negotiation;

import org.metasched.adapter.Reservation;
import org.metasched.adapter.SiteId;

/** A reservation and the site that holds it. */
public record SiteReservation(SiteId site, Reservation reservation) {

    /** {@code site/id}, as messages show it. */
    @Override
    public String toString() {
        return site + "/" + reservation.id();
    }
}
