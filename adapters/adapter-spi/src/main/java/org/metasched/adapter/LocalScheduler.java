package org.metasched.adapter;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One site's local scheduler: the interface that a site admin implements.
 *
 * <p>Thread-safe. A call may block on the site for as long as the site's own timeout allows, and stops when its thread
 * is interrupted. The numbered rules are in {@code docs/adapter-guide.md}. Names after the paper: {@code earliestStart}
 * is its {@code ResourceAvailableAt}, {@code reserve} its {@code Submit}, {@code state} its {@code State}.
 */
public interface LocalScheduler extends AutoCloseable {

    /** The site that this scheduler serves; the same at every call, and answered without asking the scheduler. */
    SiteId site();

    /** The time ahead for which slots are shown, and their time grid. Never asks the site. */
    PreviewWindow previewWindow();

    /**
     * The first instant at or after {@code notBefore} (A1) at which the request fits without a gap, or empty when there is none inside the
     * look-ahead. The answer is a hint: nothing is held. Asking again at the answer gives the same answer (A2); asking later never gives an
     * earlier one (A3).
     */
    Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException;

    /**
     * Makes an advance reservation that covers the request from {@code start}, all of it or none. Returns what is really
     * held (R1); one key, one reservation (R2): a repeated key returns the first reservation.
     *
     * @throws LocalSchedulerException.Refused when nothing was made
     * @throws LocalSchedulerException.Unreachable when something may have been made; {@link #find} tells
     */
    Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException;

    /** The reservation made under a key, if the site still knows it: finds a reservation whose answer was lost (F1). */
    Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException;

    /** Gives a reservation up. Cancelling one that is already gone is not an error (C1). */
    void cancel(ReservationId id) throws LocalSchedulerException;

    /**
     * The state of a reservation at this moment.
     *
     * @throws LocalSchedulerException.UnknownReservation when the site does not know the id: an error, not FINISHED (S1)
     */
    ReservationStatus state(ReservationId id) throws LocalSchedulerException;

    /**
     * The states of many reservations in one query, in any order. An id may be missing in the answer; the caller then asks for it by
     * {@link #state}, which tells why. This default calls {@link #state} for each id.
     *
     * @throws LocalSchedulerException when the site as a whole cannot be asked
     */
    default Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) throws LocalSchedulerException {
        var states = new LinkedHashMap<ReservationId, ReservationStatus>();
        for (ReservationId id : ids) {
            try {
                states.put(id, state(id));
            } catch (LocalSchedulerException.UnknownReservation missing) {
                // The caller asks for a missing id by state.
            }
        }
        return states;
    }

    /** An optional ability. Like the four below, it is present if this object implements it, unless an adapter overrides the method. */
    default Optional<WindowListing> windowListing() {
        return this instanceof WindowListing ability ? Optional.of(ability) : Optional.empty();
    }

    default Optional<RuntimeSupport> runtimeSupport() {
        return this instanceof RuntimeSupport ability ? Optional.of(ability) : Optional.empty();
    }

    default Optional<ReservationChange> reservationChange() {
        return this instanceof ReservationChange ability ? Optional.of(ability) : Optional.empty();
    }

    default Optional<JobStarter> jobStarter() {
        return this instanceof JobStarter ability ? Optional.of(ability) : Optional.empty();
    }

    default Optional<LoadReporting> loadReporting() {
        return this instanceof LoadReporting ability ? Optional.of(ability) : Optional.empty();
    }

    /** Closes connections and ends threads; reservations stay. */
    @Override
    default void close() {}
}
