package org.metasched.agreement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

    /**
     * Takes the turn to decide an offer, among the processes that share the repository. Each turn is to be {@link #end ended}, or
     * {@link #settle settled}; that of a process that is gone is free.
     *
     * @return false while it is another's, and when an agreement was made of the offer meanwhile
     */
    default boolean begin(OfferKey key) {
        return true;
    }

    /** Gives up the turn; one that is not ours is passed over. */
    default void end(OfferKey key) {}

    /**
     * Ends the turn in the transaction that saves the agreement.
     *
     * @throws IllegalStateException when it is not ours any more: another process may decide the offer now
     */
    default void settle(OfferKey key) {}

    /** Adds to the history of an agreement that is there; it is forgotten with it. */
    void record(AgreementId id, List<AgreementEvent> events);

    /** In the order in which they were recorded, the first {@value AgreementEvent#MOST}. */
    List<AgreementEvent> history(AgreementId id);

    /** In any of these states, the oldest first. */
    List<Agreement> inState(Set<AgreementState> states, int limit);

    /** Those that hold something at a site within a time, the last to begin first. */
    List<Agreement> holding(TimeSlot within, int limit);

    /**
     * What is to be looked at.
     *
     * @param calm those of which the whole need not be read, unless the look finds a change
     * @param whole the others
     */
    record Due(List<StatusDigest> calm, List<Agreement> whole) {

        /** Of living agreements that are to be looked at now. */
        public static Due of(List<Agreement> agreements, Instant now) {
            var calm = new ArrayList<StatusDigest>();
            var whole = new ArrayList<Agreement>();
            for (var agreement : agreements) {
                StatusDigest.of(agreement)
                        .filter(watched -> watched.until().isAfter(now))
                        .ifPresentOrElse(calm::add, () -> whole.add(agreement));
            }
            return new Due(calm, whole);
        }

        public boolean isEmpty() {
            return calm.isEmpty() && whole.isEmpty();
        }
    }

    /**
     * Living agreements that are to be looked at now, those that wait longest. Each is given to one process, and to the next at {@code again},
     * unless {@link #lookAt} says another time. One whose state changes is to be looked at at once.
     */
    Due takeDue(Instant now, Instant again, int limit);

    /** Those of them that live, in any order. */
    List<Agreement> living(Collection<AgreementId> ids);

    /** When agreements that were taken until {@code again} are to be looked at next; those that have changed meanwhile are passed over. */
    void lookAt(Map<AgreementId, Instant> due, Instant again);

    /**
     * What one initiator holds.
     *
     * @param nodeHours of the reservations of all of them
     */
    record Held(String initiator, long agreements, double nodeHours) {}

    /** What each initiator holds by agreements in any of these states. */
    List<Held> held(Set<AgreementState> states);

    /**
     * A page of those in any of these states, the newest first.
     *
     * @param after the last one of the page before, in whatever state it is by now
     * @throws IllegalArgumentException when that one is not there any more
     */
    List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit);

    /** Remembers a refused offer, whatever its number says: for a week, and of very many the newest ones only. */
    void refuse(RefusedOffer refused);

    /**
     * A page of the refused offers, the newest first.
     *
     * @param before the number of the last one of the page before; nothing for the first page
     */
    List<RefusedOffer> refused(Optional<Long> before, int limit);

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
