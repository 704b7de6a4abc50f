package org.metasched.agreement;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/** Durable store of agreements. Optimistic: a save fails if another one came first. Thread-safe. */
public interface AgreementRepository {

    /**
     * Saves an agreement.
     *
     * @return the agreement with its new version
     * @throws StaleAgreementException when the store has another version of it, or another agreement with its offer key
     */
    Agreement save(Agreement agreement);

    /** The agreement of that id with its newest version; empty if there is none. */
    Optional<Agreement> find(AgreementId id);

    /**
     * The agreement that was made of an offer with this key; empty if there is none. A key belongs to one agreement at most.
     */
    Optional<Agreement> findByOffer(OfferKey key);

    /**
     * Takes over agreements in these states from processes that are gone: at most {@code limit}, the oldest first. A repository of a
     * single process, which calls this at its start, returns any agreements in these states.
     */
    List<Agreement> takeOver(Set<AgreementState> states, int limit);

    /** Whether this process may accept or reject a stored agreement that is undecided; false if another process has taken it over, or may do so now. */
    default boolean mayDecide(AgreementId id) {
        return true;
    }

    /** Agreements that hold reservations during a time, the latest start first, at most {@code limit}. */
    List<Agreement> holding(TimeSlot within, int limit);

    /**
     * Holdings of one initiator.
     *
     * @param agreements number of agreements
     * @param nodeHours node hours of all their reservations
     */
    record Held(String initiator, long agreements, double nodeHours) {}

    /** Holdings of each initiator by agreements in any of these states. */
    List<Held> held(Set<AgreementState> states);

    /**
     * A page of the agreements in any of these states, the newest first.
     *
     * @param after the last agreement of the page before, in any state; empty for the first page
     * @param limit most agreements of the page
     * @throws IllegalArgumentException when that agreement is not there any more
     */
    List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit);
}
