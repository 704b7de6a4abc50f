package org.metasched.adapter.support;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;

/**
 * Remembers the reservations an adapter has seen, because many schedulers forget one the moment it ends or is cancelled:
 * without it nobody could tell FINISHED from CANCELLED from never-been-there. Keeps the latest ten thousand; empty after a
 * restart of the adapter. Thread-safe.
 */
public final class SeenReservations {

    private static final int MOST = 10_000;

    private final Map<ReservationId, ReservationStatus> seen = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ReservationId, ReservationStatus> eldest) {
            return size() > MOST;
        }
    };

    /** What the scheduler said last; returned as it came. */
    public synchronized ReservationStatus note(ReservationStatus status) {
        seen.put(status.reservation().id(), status);
        return status;
    }

    /** It was given up by us. */
    public synchronized void cancelled(ReservationId id) {
        seen.computeIfPresent(
                id, (key, last) -> last.state().isHeld() ? ended(last, ReservationState.CANCELLED) : last);
    }

    /**
     * What became of one that the scheduler no longer knows: FINISHED when its slot has passed, CANCELLED when it was given
     * up or vanished before; nothing when it was never seen here.
     */
    public synchronized Optional<ReservationStatus> gone(ReservationId id, Instant now) {
        return Optional.ofNullable(seen.computeIfPresent(id, (key, last) -> {
            if (!last.state().isHeld()) {
                return last;
            }
            boolean passed = !now.isBefore(last.reservation().slot().end());
            return ended(last, passed ? ReservationState.FINISHED : ReservationState.CANCELLED);
        }));
    }

    private static ReservationStatus ended(ReservationStatus last, ReservationState state) {
        return new ReservationStatus(state, last.reservation(), List.of(), last.detail());
    }
}
