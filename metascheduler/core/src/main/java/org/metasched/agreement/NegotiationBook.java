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
     * @param renegotiated the agreement that a new one is to replace
     * @param until time at which the negotiation ends
     */
    record Negotiation(String id, String owner, String context, Optional<AgreementId> renegotiated, Instant until) {}

    /** An offer or counter offer; an offer that was {@code rejected} cannot be countered. {@code id} has at most {@value #LONGEST_ID} characters. */
    record Offer(String id, String document, boolean rejected) {

        /** Characters of an offer's id. */
        public static final int LONGEST_ID = 256;
    }

    /** Reservations at all sites of a counter offer, until a time. The journal keeps them. */
    record Hold(TimeSlot slot, List<SiteCommitment> commitments, NegotiationEffort effort, Instant until) {}

    /** Adds a negotiation and returns true; returns false if there are {@code most} already. */
    boolean open(Negotiation negotiation, int most);

    /** The negotiation of an id, also if its time has come. */
    Optional<Negotiation> negotiation(String id);

    /** The negotiation that an offer is part of. */
    Optional<Negotiation> withOffer(String offer);

    /** Adds an offer and returns true; returns false if there is an offer of its id. */
    boolean add(String negotiation, Offer offer);

    /** The offers of a negotiation in the order in which they were added. */
    List<Offer> offers(String negotiation);

    /** Deletes a negotiation and its offers; the holds for them remain. */
    void end(String negotiation);

    /** Ids of negotiations whose time has come. */
    List<String> ended(Instant now, int limit);

    /** Number of holds, including those whose time has come. */
    int holds();

    /** Adds a hold for an offer and returns true; returns false if there are {@code most} already. */
    boolean hold(String offer, Hold hold, int most);

    /** The hold for an offer, also if its time has come. */
    Optional<Hold> held(String offer);

    /**
     * Deletes a hold, to keep its reservations or to give them back in the same transaction.
     *
     * @return whether there was one: false if it was taken before
     */
    boolean take(String offer);

    /** Ids of the offers whose holds have lapsed. */
    List<String> lapsed(Instant now, int limit);
}
