package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.NegotiationBook.Negotiation;

/** The negotiations that go on, the same at each server of a database and after a restart. Thread-safe. */
public final class OngoingNegotiations {

    private static final int MOST = 500;
    private static final int CHUNK = 100;
    private static final Duration USUAL = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private final HeldOffers holds;
    private final NegotiationBook book;
    private final Clock clock;

    OngoingNegotiations(HeldOffers holds, NegotiationBook book, Clock clock) {
        this.holds = holds;
        this.book = book;
        this.clock = clock;
    }

    /** Slots that are held for counter offers. */
    public HeldOffers holds() {
        return holds;
    }

    /** @return its id; nothing when there are too many */
    public Optional<String> open(
            String owner, String context, Optional<AgreementId> renegotiated, Optional<Instant> expiration) {
        var now = clock.instant();
        var until = expiration.filter(e -> e.isBefore(now.plus(LONGEST))).orElse(now.plus(USUAL));
        var id = "ng-" + AgreementId.random().value().substring(3);
        return Optional.of(id).filter(i -> book.open(new Negotiation(i, owner, context, renegotiated, until), MOST));
    }

    /** The negotiation of an id, if it has not ended. */
    public Optional<OfferTree> find(String id) {
        return book.negotiation(id).filter(this::lasts).map(n -> new OfferTree(book, n));
    }

    /** The one that an offer is part of. */
    public Optional<OfferTree> withOffer(String offer) {
        return book.withOffer(offer).filter(this::lasts).map(n -> new OfferTree(book, n));
    }

    /** Ends a negotiation, with all that it holds. What is still held when this is cut off is released at its own time. */
    public void end(String id) throws InterruptedException {
        var offers = book.offers(id);
        book.end(id);
        for (var offer : offers) {
            holds.release(offer.id());
        }
    }

    /** Ends the negotiations whose time has come, and releases what was held long enough; to be called from time to time. */
    public void expire() throws InterruptedException {
        for (var id : book.ended(clock.instant(), CHUNK)) {
            end(id);
        }
        holds.expire();
    }

    private boolean lasts(Negotiation negotiation) {
        return negotiation.until().isAfter(clock.instant());
    }
}
