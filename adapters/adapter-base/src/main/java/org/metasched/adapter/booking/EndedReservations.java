package org.metasched.adapter.booking;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.BoundedMaps;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;

/**
 * Memory of reservations, because schedulers forget theirs at the end: a reservation that is gone after its end has finished, and one that is
 * gone before its end was given up. Lives as long as the adapter does. Thread-safe.
 */
final class EndedReservations {

    private static final int MOST = 10_000;

    private final Map<ReservationId, Reservation> known = BoundedMaps.recentlyUsed(MOST);
    private final Map<ReservationId, Boolean> givenUp = BoundedMaps.recentlyUsed(MOST);

    synchronized void remember(Reservation reservation) {
        known.put(reservation.id(), reservation);
    }

    synchronized void markCancelled(ReservationId id) {
        givenUp.put(id, Boolean.TRUE);
    }

    /** The final status of a reservation that the scheduler no longer shows; empty if it was never seen. */
    synchronized Optional<ReservationStatus> statusOf(ReservationId id, Instant now) {
        return Optional.ofNullable(known.get(id)).map(last -> ended(last, now));
    }

    /** The final status of the reservation of a key that was looked at last; empty if none was seen. */
    synchronized Optional<ReservationStatus> statusOf(RequestKey key, Instant now) {
        return known.values().stream()
                .filter(last -> last.key().equals(key))
                .reduce((earlier, later) -> later)
                .map(last -> ended(last, now));
    }

    private ReservationStatus ended(Reservation last, Instant now) {
        if (givenUp.containsKey(last.id())) {
            return new ReservationStatus(ReservationState.CANCELLED, last);
        } else if (!now.isBefore(last.slot().end())) {
            return new ReservationStatus(ReservationState.FINISHED, last);
        }
        return new ReservationStatus(
                ReservationState.CANCELLED,
                last,
                List.of(),
                "The scheduler does not show it any more, although its slot lasts until "
                        + last.slot().end() + ".");
    }
}
