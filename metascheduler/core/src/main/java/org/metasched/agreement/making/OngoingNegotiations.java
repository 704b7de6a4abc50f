package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.NegotiationBook.Negotiation;

/**
 * Ongoing negotiations, the same at each server of a database and after a restart. Thread-safe.
 *
 * @param holds slots that are held for counter offers
 */
public record OngoingNegotiations(HeldOffers holds, NegotiationBook book, Clock clock) {

    /** Most negotiations at a time. */
    private static final int MOST = 500;

    private static final int MOST_OF_OWNER = 100;

    private static final int MOST_ENDED_AT_ONCE = 100;
    private static final Duration USUAL_LIFE = Duration.ofHours(1);
    private static final Duration LONGEST_LIFE = Duration.ofHours(24);

    /**
     * Opens a negotiation. It ends at its expiration, or after an hour if that is missing or a day or more away.
     *
     * @param owner its initiator
     * @param context context document as the initiator sent it
     * @param renegotiated the agreement that the new one is to replace; empty if there is none
     * @return id of the negotiation; empty if there are too many
     */
    public Optional<String> open(
            String owner, String context, Optional<AgreementId> renegotiated, Optional<Instant> expiration) {
        var now = clock.instant();
        var until = expiration.filter(e -> e.isBefore(now.plus(LONGEST_LIFE))).orElse(now.plus(USUAL_LIFE));
        var id = "ng-" + AgreementId.random().value().substring(3);
        return Optional.of(id)
                .filter(i -> book.open(new Negotiation(i, owner, context, renegotiated, until), MOST, MOST_OF_OWNER));
    }

    /** The negotiation of an id; empty if it is unknown or has ended. */
    public Optional<OfferTree> find(String id) {
        return book.negotiation(id).filter(this::lasts).map(n -> new OfferTree(book, n));
    }

    /** The negotiation with an offer of this id; empty if it is unknown or has ended. */
    public Optional<OfferTree> withOffer(String offer) {
        return book.withOffer(offer).filter(this::lasts).map(n -> new OfferTree(book, n));
    }

    /** Ends a negotiation and its holds. After an interruption, the remaining holds end at their own time. */
    public void end(String id) throws InterruptedException {
        var offers = book.offers(id);
        book.end(id);
        for (var offer : offers) {
            holds.release(offer.id());
        }
    }

    /** Ends the negotiations and the holds whose time is over; to be called from time to time. */
    public void expire() throws InterruptedException {
        for (var id : book.ended(clock.instant(), MOST_ENDED_AT_ONCE)) {
            end(id);
        }
        holds.expire();
    }

    private boolean lasts(Negotiation negotiation) {
        return negotiation.until().isAfter(clock.instant());
    }
}
