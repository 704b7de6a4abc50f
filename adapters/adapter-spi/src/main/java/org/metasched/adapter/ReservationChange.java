package org.metasched.adapter;

import java.time.Instant;

/** Optional ability of a site: to change what a reservation holds, without giving it up in between. */
public interface ReservationChange {

    /**
     * Makes a held reservation cover the request from {@code start}, under its id and key (M1). Repeating it is no error.
     *
     * @param request the same kind of resource, in any amount, for any length
     * @throws LocalSchedulerException.Refused when the change is refused; the reservation is as it was (M2)
     * @throws LocalSchedulerException.UnknownReservation when the site holds nothing under the id
     * @throws LocalSchedulerException.Unreachable when it may have been changed; {@link LocalScheduler#state} tells
     */
    Reservation change(ReservationId id, ResourceRequest request, Instant start) throws LocalSchedulerException;
}
