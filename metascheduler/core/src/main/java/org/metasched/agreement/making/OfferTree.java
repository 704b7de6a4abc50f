package org.metasched.agreement.making;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.NegotiationBook.Negotiation;
import org.metasched.agreement.NegotiationBook.Offer;

/**
 * One negotiation at the arrival of a message: every offer and counter offer, each an answer to an earlier one or to the template.
 * An added offer is in the book when {@link #add} returns. For one thread.
 */
public final class OfferTree {

    private static final int MOST_OFFERS = 256;
    /** A negotiation with more characters in its offers is full. */
    private static final int LONGEST = 256 * 1024;

    private final NegotiationBook book;
    private final Negotiation negotiation;
    private final List<Offer> offers;

    OfferTree(NegotiationBook book, Negotiation negotiation) {
        this.book = book;
        this.negotiation = negotiation;
        this.offers = new ArrayList<>(book.offers(negotiation.id()));
    }

    public Negotiation negotiation() {
        return negotiation;
    }

    /** The offers of the tree in their order. */
    public List<Offer> offers() {
        return List.copyOf(offers);
    }

    /** The offer of an id, if it is in the tree. */
    public Optional<Offer> find(String offer) {
        return offers.stream().filter(n -> n.id().equals(offer)).findFirst();
    }

    /** Adds an offer and returns true; returns false if one of its id is there, or the negotiation {@linkplain #isFull is full}. */
    public boolean add(Offer offer) {
        return !isFull() && find(offer.id()).isEmpty() && book.add(negotiation.id(), offer) && offers.add(offer);
    }

    /** Whether the negotiation has as many offers, or as long ones, as it may have. */
    public boolean isFull() {
        return offers.size() >= MOST_OFFERS
                || offers.stream().mapToInt(o -> o.document().length()).sum() > LONGEST;
    }
}
