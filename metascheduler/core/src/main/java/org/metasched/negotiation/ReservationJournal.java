package org.metasched.negotiation;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;

/**
 * The reservations that this metascheduler may hold at any site. An intent is written before the site is asked, never after; each
 * method returns when its change is durable. Thread-safe. Unknown keys are ignored unless stated otherwise, so that a
 * repeated change is no error.
 *
 * <p>An entry goes {@code INTENDED ► GRANTED ► KEPT} and may skip steps, but never goes back; from each of these it may go to
 * {@code STRANDED}, and it is forgotten when nothing is held under its key any more.
 */
public interface ReservationJournal {

    /** State of an entry. */
    enum Standing {
        /** The site is about to be asked, or has been asked. */
        INTENDED,
        /** The site confirmed. */
        GRANTED,
        /** The reservation belongs to an agreement. */
        KEPT,
        /** An orphan: to be released at its site. */
        STRANDED;

        /** Whether an entry may go over to the other standing: only forward. */
        public boolean mayBecome(Standing next) {
            return ordinal() < next.ordinal();
        }
    }

    /**
     * Intent to reserve at a site.
     *
     * @param at time at which the site is going to be asked
     */
    record Intent(RequestKey key, SiteId site, Instant at) {}

    /**
     * A reservation that a site may hold.
     *
     * @param reservation the site's id of the reservation, where it is known
     * @param mayArriveUntil time until which a call under way may still reach the site: only a later look-up proves that nothing is held
     */
    record Entry(
            RequestKey key,
            SiteId site,
            Standing standing,
            Optional<ReservationId> reservation,
            Instant mayArriveUntil) {}

    /** State of a change of a kept reservation. */
    enum ChangeStanding {
        /** Not decided: the process that began the change decides it. */
        WIDENED,
        /** Not decided: a hold decides it, also after a restart. */
        HELD,
        /** Decided: the site is to hold the target. */
        DECIDED
    }

    /**
     * A change of a kept reservation: its site may hold more than the target for now.
     *
     * @param target the reservation as it will be unless something else is decided
     * @param mayArriveUntil time until which a call under way may still reach the site
     */
    record Change(SiteReservation target, ChangeStanding standing, Instant mayArriveUntil) {

        public RequestKey key() {
            return target.reservation().key();
        }

        /** The change, decided for a target. */
        public Change decidedFor(SiteReservation other) {
            return new Change(other, ChangeStanding.DECIDED, mayArriveUntil);
        }
    }

    /**
     * Begins changes: sites are about to be asked to hold more than these reservations.
     *
     * @param before the reservations as they are now
     * @param at time at which the sites are going to be asked
     * @throws IllegalStateException when one of them is being changed already; then none is begun
     */
    void widen(List<SiteReservation> before, Instant at);

    /**
     * Gives undecided changes another target and standing. If an agreement is saved with them, this is called in the same transaction.
     *
     * @return whether all were advanced: false if one was decided already, or belongs to a process whose lease has ended
     */
    boolean advance(List<Change> next);

    /** The changes recorded for these keys. */
    List<Change> changes(Collection<RequestKey> keys);

    /**
     * {@linkplain #advance Advances} all changes of these keys.
     *
     * @return their keys
     * @throws IllegalStateException when one of them cannot be advanced
     */
    default Set<RequestKey> advanceAll(Collection<RequestKey> keys, UnaryOperator<Change> next) {
        var changes = changes(keys);
        if (!advance(changes.stream().map(next).toList())) {
            throw new IllegalStateException(
                    "Another server undid the changes of the reservations: it took this one for gone.");
        }
        return changes.stream().map(Change::key).collect(Collectors.toSet());
    }

    /** The decided changes, at most {@code limit}. */
    List<Change> decided(int limit);

    /** Forgets these changes: the sites hold what was decided. */
    void forgetChanges(Collection<RequestKey> keys);

    /**
     * Writes intents: all or, on an exception, none.
     *
     * @throws IllegalStateException when a key was used before
     */
    void intend(List<Intent> intents);

    /** Records that the sites confirmed these; an entry that is kept or an orphan already stays so. */
    void granted(List<SiteReservation> reservations);

    /**
     * Gives these reservations to the agreement that is saved in the same transaction. Needs no {@link #granted} before.
     *
     * @throws IllegalStateException when one of them is an orphan, forgotten or of another process: it may have been given back already
     */
    void keep(List<SiteReservation> reservations);

    /** Makes these entries orphans. The time of an entry never becomes earlier. */
    void orphan(Collection<RequestKey> keys, Instant mayArriveUntil);

    /** Forgets these keys: nothing is held under them any more. */
    void released(Collection<RequestKey> keys);

    /** The entries recorded for these keys. */
    List<Entry> find(Collection<RequestKey> keys);

    /** The entries to be released at their sites, longest waiting first, at most {@code limit}. */
    List<Entry> orphans(int limit);

    /**
     * Makes orphans of the unfinished entries of processes that are gone, and reverses their undecided changes. In the journal of a single
     * process these are all unfinished entries, so the process calls this at its start, before any negotiation.
     *
     * @return number of entries that became orphans
     */
    int orphanUnfinished(Instant mayArriveUntil);

    /**
     * Whether this process still owns its intents, so that sites may be asked for them: false after a pause so long that another process may
     * have given them back. Does not call the database.
     */
    default boolean ownsIntents() {
        return true;
    }
}
