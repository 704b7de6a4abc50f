package org.metasched.agreement;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.NegotiationEffort;

/**
 * Negotiations that go on, and what is held for their counter offers, durably; the processes on one store share them. Each method joins
 * the transaction of its thread. Thread-safe.
 */
public interface NegotiationBook {

    /**
     * One negotiation.
     *
     * @param owner its initiator
     * @param context as the initiator sent it
     * @param renegotiated the agreement that a new one is to replace
     */
    record Negotiation(String id, String owner, String context, Optional<AgreementId> renegotiated, Instant until) {}

    /** An offer or counter offer. {@code id} has at most {@value #LONGEST_ID} characters. */
    record Offer(String id, String document, boolean rejected) {

        /** Characters of an offer's id. */
        public static final int LONGEST_ID = 256;
    }

    /** Reservations at all sites of a counter offer, until a time. The journal keeps them. */
    record Hold(TimeSlot slot, List<SiteCommitment> commitments, NegotiationEffort effort, Instant until) {}

    /** @return false when as many are going on already */
    boolean open(Negotiation negotiation, int most);

    /** Whether its time has come or not. */
    Optional<Negotiation> negotiation(String id);

    /** The negotiation that an offer is part of. */
    Optional<Negotiation> withOffer(String offer);

    /** @return false when one of that id is there */
    boolean add(String negotiation, Offer offer);

    /** The offers of a negotiation in the order in which they were added. */
    List<Offer> offers(String negotiation);

    /** Forgets a negotiation and its offers, and nothing that is held for them. */
    void end(String negotiation);

    /** The negotiations whose end has come. */
    List<String> ended(Instant now, int limit);

    /** How many are held, those included whose time has come. */
    int holds();

    /** @return false when as many are held already */
    boolean hold(String offer, Hold hold, int most);

    /** Whether its time has come or not. */
    Optional<Hold> held(String offer);

    /**
     * Takes a hold out, to keep what it holds or to give it back in the same transaction.
     *
     * @return false when it is not there: it was taken before
     */
    boolean take(String offer);

    /** The offers whose holds have lapsed. */
    List<String> lapsed(Instant now, int limit);
}
