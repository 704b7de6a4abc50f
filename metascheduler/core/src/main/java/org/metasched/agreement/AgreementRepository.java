package org.metasched.agreement;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

    /** Adds to the history of an agreement that is there; it is forgotten with it. */
    void record(AgreementId id, List<AgreementEvent> events);

    /** In the order in which they were recorded, the first {@value AgreementEvent#MOST}. */
    List<AgreementEvent> history(AgreementId id);

    /** In any of these states, the oldest first. */
    List<Agreement> inState(Set<AgreementState> states, int limit);

    /**
     * A page of those in any of these states, the newest first.
     *
     * @param after the last one of the page before, in whatever state it is by now
     * @throws IllegalArgumentException when that one is not there any more
     */
    List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit);

    /** Sets a time of its own until which an agreement is kept after its end; one that is not there is passed over. */
    void keepUntil(AgreementId id, Instant until);

    /** The time that was set, if one was. */
    Optional<Instant> keptUntil(AgreementId id);

    /**
     * Forgets one agreement, if it is in a final state.
     *
     * @return whether it was and is forgotten
     */
    boolean forget(AgreementId id);

    /**
     * Forgets agreements in a final state: those with a time of their own when that has come, the others when they reached
     * that state before an instant.
     *
     * @return how many
     */
    int forgetFinal(Instant changedBefore, Instant now);
}
