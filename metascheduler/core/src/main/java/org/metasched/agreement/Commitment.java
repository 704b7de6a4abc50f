package org.metasched.agreement;

import java.util.List;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;

/**
 * One site's part of an agreement, as last seen.
 *
 * @param term the term it fulfils
 * @param service the service it is part of
 * @param lostNodes nodes that are down and not replaced
 */
public record Commitment(
        String term,
        String service,
        SiteId site,
        Reservation reservation,
        ReservationState state,
        List<String> lostNodes) {

    public Commitment {
        lostNodes = List.copyOf(lostNodes);
    }

    /** The state of the service that the reservation stands for. */
    public ServiceTermState serviceState() {
        return ServiceTermState.of(state);
    }

    /** Whether nodes of the reservation are down and not replaced. */
    public boolean isDegraded() {
        return !lostNodes.isEmpty();
    }

    Commitment seenAs(ReservationStatus status) {
        return new Commitment(term, service, site, status.reservation(), status.state(), status.lostNodes());
    }

    Commitment in(ReservationState next) {
        return new Commitment(term, service, site, reservation, next, lostNodes);
    }
}
