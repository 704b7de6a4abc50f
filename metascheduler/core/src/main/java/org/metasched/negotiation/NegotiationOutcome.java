package org.metasched.negotiation;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;

/** Outcome of a negotiation; its caller must handle every case. */
public sealed interface NegotiationOutcome {

    /** Calls the function of its case. A new case adds a parameter, so that no caller compiles until it handles it. */
    default <R, E extends Exception> R fold(
            ResultCase<CoAllocated, R, E> allocated,
            ResultCase<NoCommonSlot, R, E> none,
            ResultCase<Abandoned, R, E> abandoned)
            throws E {
        if (this instanceof CoAllocated made) {
            return allocated.of(made);
        }
        return this instanceof NoCommonSlot full ? none.of(full) : abandoned.of((Abandoned) this);
    }

    /** The cost of the negotiation: rounds, calls, attempts, time. */
    NegotiationEffort effort();

    /**
     * Every site confirmed. The reservations stand in the journal; the caller must have them
     * {@link ReservationJournal#keep kept} or {@link OrphanSweeper#abandon abandoned}.
     *
     * @param branch index of the alternative that was taken
     * @param parts for each reservation, the index of the branch's part that it serves
     * @param reservations reservations in the order of the branch's parts
     */
    record CoAllocated(
            Instant start,
            int branch,
            List<Integer> parts,
            List<SiteReservation> reservations,
            NegotiationEffort effort)
            implements NegotiationOutcome {

        public CoAllocated {
            parts = List.copyOf(parts);
            reservations = List.copyOf(reservations);
        }

        /** An outcome with one reservation for each part of the only branch. */
        public CoAllocated(Instant start, List<SiteReservation> reservations, NegotiationEffort effort) {
            this(start, 0, IntStream.range(0, reservations.size()).boxed().toList(), reservations, effort);
        }
    }

    /**
     * No start suits every site before the deadline and inside every look-ahead. Nothing is held.
     *
     * @param exhausted a site that has no start from {@code since} to the limit
     * @param since instant from which that site has no start
     * @param limit the last start that was searched
     * @param byPreview whether the limit is a site's look-ahead rather than the caller's deadline
     * @param reason explanation for people, part by part; empty where naming the site suffices
     */
    record NoCommonSlot(
            SiteId exhausted, Instant since, Instant limit, boolean byPreview, String reason, NegotiationEffort effort)
            implements NegotiationOutcome {

        /** No common slot; all that is known of the site is that it has no start at the limit. */
        public NoCommonSlot(SiteId exhausted, Instant limit, boolean byPreview, NegotiationEffort effort) {
            this(exhausted, limit, limit, byPreview, "", effort);
        }
    }

    /**
     * Given up for another reason than lack of room.
     *
     * @param cause the site that caused it
     * @param reason explanation for people
     * @param orphans reservations that may still be held as orphans; the sweeper cancels them
     */
    record Abandoned(SiteId cause, Why why, String reason, List<RequestKey> orphans, NegotiationEffort effort)
            implements NegotiationOutcome {

        public Abandoned {
            orphans = List.copyOf(orphans);
        }
    }

    /** Reason of an abandoned negotiation. */
    enum Why {
        /** A site gave no answer. */
        SITE_UNAVAILABLE,
        /** A site's answer cannot be understood. */
        SITE_UNREADABLE,
        /** A site's adapter cannot work as it is set up. */
        SITE_MISCONFIGURED,
        /** A site's own rules, or its list of users, do not let it serve this request. */
        SITE_REFUSES,
        /** Sites did not confirm their starts on any attempt that the budget allows: others reserved first. */
        OUTRUN,
        /** The time or the number of rounds that the budget allows is used up. */
        BUDGET_SPENT;

        /** The reason for abandoning a negotiation over this failure of a site. */
        public static Why of(LocalSchedulerException failure) {
            return failure.fold(
                    refused -> refused.isUnanswered() ? SITE_UNAVAILABLE : SITE_REFUSES,
                    unreachable -> unreachable instanceof Unreadable ? SITE_UNREADABLE : SITE_UNAVAILABLE,
                    misconfigured -> SITE_MISCONFIGURED,
                    unknown -> SITE_UNAVAILABLE);
        }
    }
}
