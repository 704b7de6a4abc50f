package org.metasched.agreement;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.NegotiationEffort;

/**
 * Durable store of ongoing negotiations and of the reservations that are held for their counter offers. The processes on one store share
 * it. Each method joins the transaction of its thread. Thread-safe.
 */
public interface NegotiationBook {

    /**
     * One negotiation.
     *
     * @param owner its initiator
     * @param context context document as the initiator sent it
     * @param renegotiated the agreement that the new one is to replace; empty if there is none
     * @param until time at which the negotiation ends
     */
    record Negotiation(String id, String owner, String context, Optional<AgreementId> renegotiated, Instant until) {}

    /**
     * An offer or counter offer.
     *
     * @param id id of at most {@value #LONGEST_ID} characters
     * @param document the offer as an XML document
     * @param rejected whether it was rejected, and so cannot be countered
     */
    record Offer(String id, String document, boolean rejected) {

        /** Most characters of an offer's id. */
        public static final int LONGEST_ID = 256;
    }

    /**
     * The reservations for a counter offer, at all its sites, which are held until a time. The journal keeps them.
     *
     * @param alternative the alternative of the offer for which they were made; empty in rows that were stored without it
     */
    record Hold(
            TimeSlot slot,
            List<SiteCommitment> commitments,
            NegotiationEffort effort,
            Instant until,
            Optional<AgreementRequest> alternative) {}

    /** Adds a negotiation and returns true; returns false if there are {@code most} already, or {@code mostOfOwner} of its owner. */
    boolean open(Negotiation negotiation, int most, int mostOfOwner);

    /** The negotiation of an id, also if its time is over; empty if there is none. */
    Optional<Negotiation> negotiation(String id);

    /** The negotiation with an offer of this id; empty if there is none. */
    Optional<Negotiation> withOffer(String offer);

    /** Adds an offer and returns true; returns false if there is an offer of its id. */
    boolean add(String negotiation, Offer offer);

    /** The offers of a negotiation in the order in which they were added. */
    List<Offer> offers(String negotiation);

    /** Deletes a negotiation and its offers; the holds for them remain. */
    void end(String negotiation);

    /** Ids of negotiations whose time is over, at most {@code limit}. */
    List<String> ended(Instant now, int limit);

    /** Number of holds, including those whose time is over. */
    int holds();

    /** Adds a hold for an offer and returns true; returns false if there are {@code most} already. */
    boolean hold(String offer, Hold hold, int most);

    /** The hold for an offer, also if its time is over; empty if there is none. */
    Optional<Hold> held(String offer);

    /**
     * Deletes a hold. The caller keeps its reservations, or gives them back, in the same transaction.
     *
     * @return whether there was one: false if it was deleted before
     */
    boolean take(String offer);

    /** Ids of the offers with holds whose time is over, at most {@code limit}. */
    List<String> lapsed(Instant now, int limit);
}
