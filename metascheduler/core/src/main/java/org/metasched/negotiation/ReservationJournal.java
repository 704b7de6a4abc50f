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
 * method returns when its change is durable. Thread-safe. Except where it is said, unknown keys are passed over, so that a
 * repeated change is no error.
 *
 * <p>An entry goes {@code INTENDED ► GRANTED ► KEPT} and may skip steps, but never goes back; from each of these it may go to
 * {@code STRANDED}, and it is forgotten when
 * nothing is held under its key any more.
 */
public interface ReservationJournal {

    /** Where an entry stands. */
    enum Standing {
        /** The site is about to be asked, or was. */
        INTENDED,
        /** The site confirmed. */
        GRANTED,
        /** The reservation belongs to an agreement. */
        KEPT,
        /** Orphaned: to be released at its site. */
        STRANDED;

        /** Whether an entry may go over to the other standing: only forward. */
        public boolean mayBecome(Standing next) {
            return ordinal() < next.ordinal();
        }
    }

    /** @param at time at which the site is going to be asked */
    record Intent(RequestKey key, SiteId site, Instant at) {}

    /**
     * @param reservation the site's name for it, where it is known
     * @param mayArriveUntil a call that is still under way may reach the site until then, so that only a later look
     *     proves that nothing is held
     */
    record Entry(
            RequestKey key,
            SiteId site,
            Standing standing,
            Optional<ReservationId> reservation,
            Instant mayArriveUntil) {}

    /** Who decides about a change of a kept reservation. */
    enum ChangeStanding {
        /** The process that began it. */
        WIDENED,
        /** A hold, also after a restart. */
        HELD,
        /** The change is decided: the site is to hold the target. */
        DECIDED
    }

    /**
     * A kept reservation that its site may hold more under than is to stand in the end.
     *
     * @param target what stands if nothing else is decided
     * @param mayArriveUntil as of an {@link Entry}
     */
    record Change(SiteReservation target, ChangeStanding standing, Instant mayArriveUntil) {

        public RequestKey key() {
            return target.reservation().key();
        }

        /** This is to stand, and that is decided. */
        public Change decidedFor(SiteReservation other) {
            return new Change(other, ChangeStanding.DECIDED, mayArriveUntil);
        }
    }

    /**
     * Sites are about to be asked to hold more under these keys, of which this is held now.
     *
     * @throws IllegalStateException when one of them is being changed already; then none is begun
     */
    void widen(List<SiteReservation> before, Instant at);

    /**
     * Goes on with changes that are not decided: with a target that is to stand, and who decides. For an agreement, in the transaction
     * that saves it.
     *
     * @return false if one was decided already, or was begun by a process whose lease has ended
     */
    boolean advance(List<Change> next);

    /** The changes recorded for these keys. */
    List<Change> changes(Collection<RequestKey> keys);

    /**
     * {@linkplain #advance Goes on} with all changes of these keys.
     *
     * @return their keys
     * @throws IllegalStateException when one of them cannot go on
     */
    default Set<RequestKey> advanceAll(Collection<RequestKey> keys, UnaryOperator<Change> next) {
        var changes = changes(keys);
        if (!advance(changes.stream().map(next).toList())) {
            throw new IllegalStateException("The reservations are as they were again: this server was taken for gone.");
        }
        return changes.stream().map(Change::key).collect(Collectors.toSet());
    }

    /** The decided changes, at most {@code limit}. */
    List<Change> decided(int limit);

    /** The sites hold what was decided: forgets these changes. */
    void changed(Collection<RequestKey> keys);

    /** All of them or, on an exception, none. A key is used once. */
    void intend(List<Intent> intents);

    /** The sites confirmed these; an entry that is kept or stranded already stays so. */
    void granted(List<SiteReservation> reservations);

    /**
     * From now on they belong to an agreement, which is saved in the same transaction. Needs no grant before.
     *
     * @throws IllegalStateException when one of them is stranded, forgotten or another process's: it may have been given back already
     */
    void keep(List<SiteReservation> reservations);

    /** Makes these entries orphans. The time only grows. */
    void strand(Collection<RequestKey> keys, Instant mayArriveUntil);

    /** Forgets these keys: nothing is held under them any more. */
    void released(Collection<RequestKey> keys);

    /** The entries recorded for these keys. */
    List<Entry> find(Collection<RequestKey> keys);

    /** The entries to be released at their sites, longest waiting first, at most {@code limit}. */
    List<Entry> stranded(int limit);

    /**
     * Strands what is neither kept nor stranded, and undoes what was widened, by a process that is gone. A journal of one process alone takes every
     * earlier one for gone: there it is for the start, when no negotiation runs.
     *
     * @return how many
     */
    int strandUnfinished(Instant mayArriveUntil);

    /**
     * Whether sites may be asked for what this process has written down: not after it was stopped for so long that another one may have
     * given that back. Asks no database.
     */
    default boolean isOwners() {
        return true;
    }
}
