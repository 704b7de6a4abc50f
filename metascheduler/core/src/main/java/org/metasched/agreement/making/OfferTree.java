package org.metasched.agreement.making;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.NegotiationBook.Negotiation;
import org.metasched.agreement.NegotiationBook.Offer;

/**
 * One negotiation as it was at the arrival of a message: every offer and counter offer, each an answer to an earlier one or to the
 * template. An added offer is stored when {@link #add} returns. For one thread.
 */
public final class OfferTree {

    private static final int MOST_OFFERS = 256;
    /** Most characters of all offers together; a negotiation with more is full. */
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

    /** The offers of the tree in the order in which they were added. */
    public List<Offer> offers() {
        return List.copyOf(offers);
    }

    /** The offer of an id; empty if it is not in the tree. */
    public Optional<Offer> find(String id) {
        return offers.stream().filter(offer -> offer.id().equals(id)).findFirst();
    }

    /** Adds an offer and returns true; returns false if there is an offer of its id, or the negotiation {@linkplain #isFull is full}. */
    public boolean add(Offer offer) {
        return !isFull() && find(offer.id()).isEmpty() && book.add(negotiation.id(), offer) && offers.add(offer);
    }

    /** Whether no offer may be added: there are {@value #MOST_OFFERS}, or they are too long together. */
    public boolean isFull() {
        return offers.size() >= MOST_OFFERS
                || offers.stream().mapToInt(o -> o.document().length()).sum() > LONGEST;
    }
}
