package org.metasched.agreement;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/** Agreements, durably. Optimistic: a save fails when the version moved on. Thread-safe. */
public interface AgreementRepository {

    /**
     * @return the agreement with its new version
     * @throws StaleAgreementException when it is not at this version any more, or another one has its offer key
     */
    Agreement save(Agreement agreement);

    /** The agreement of that id with its newest version; empty if there is none. */
    Optional<Agreement> find(AgreementId id);

    /**
     * The agreement that was made of an offer with this key; empty if there is none. A key belongs to one agreement at most.
     */
    Optional<Agreement> findByOffer(OfferKey key);

    /**
     * Takes over agreements in these states that a process left which is gone, as many as that. A repository of one process alone gives
     * all of them: there it is for the start. The oldest first.
     */
    List<Agreement> takeOver(Set<AgreementState> states, int limit);

    /** Whether an agreement that is there is this process's to decide: not when another has taken it over, or may. */
    default boolean isOurs(AgreementId id) {
        return true;
    }

    /** The agreements that hold something at a site within a time, the last to begin first. */
    List<Agreement> holding(TimeSlot within, int limit);

    /**
     * Holdings of one initiator.
     *
     * @param nodeHours of the reservations of all of them
     */
    record Held(String initiator, long agreements, double nodeHours) {}

    /** Holdings of each initiator by agreements in any of these states. */
    List<Held> held(Set<AgreementState> states);

    /**
     * A page of those in any of these states, the newest first.
     *
     * @param after the last one of the page before, in whatever state it is by now
     * @throws IllegalArgumentException when that one is not there any more
     */
    List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit);
}
