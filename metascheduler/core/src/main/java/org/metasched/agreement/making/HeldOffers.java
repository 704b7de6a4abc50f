package org.metasched.agreement.making;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.NegotiationBook.Hold;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.negotiation.ReservationJournal.Change;
import org.metasched.negotiation.ReservationJournal.ChangeStanding;
import org.metasched.negotiation.SiteReservation;

/**
 * Offers under negotiation: advice, and slots that are held for a stated time so that an agreement can be made of them, by any
 * process on the same books and also after a restart. A hold ends once, in the transaction that makes an agreement of it or lets
 * go of its reservations. Thread-safe.
 */
public final class HeldOffers {

    private static final int MOST = 1000;
    private static final int CHUNK = 100;

    private final MakingContext context;
    private final OfferNegotiator negotiator;
    private final InPlaceRenegotiation renegotiation;
    private final OfferCheck check;

    HeldOffers(
            MakingContext context, OfferNegotiator negotiator, InPlaceRenegotiation renegotiation, OfferCheck check) {
        this.context = context;
        this.negotiator = negotiator;
        this.renegotiation = renegotiation;
        this.check = check;
    }

    /**
     * The answer to an offer that is to be held.
     *
     * @param slot of all; nothing when it is refused
     * @param commitments what is reserved, in the order of the parts
     */
    public record Answer(Optional<TimeSlot> slot, List<SiteCommitment> commitments, Optional<Refused> refused) {
        static Answer no(Refused why) {
            return new Answer(Optional.empty(), List.of(), Optional.of(why));
        }
    }

    /** Advice about the offer now. Asks sites and holds nothing. */
    public OfferAdvice look(AgreementOffer offer) throws InterruptedException {
        var objection = check.objection(offer);
        return objection.isPresent()
                ? OfferAdvice.no(objection.get())
                : negotiator.advice(check.possible(offer).alternatives(), 1, false);
    }

    /**
     * Reserves what the offer asks for, and holds it.
     *
     * @param name of the hold, not used before
     * @param replaced the agreement that the offer is to replace
     */
    public Answer hold(String name, AgreementOffer offer, Instant until, Optional<AgreementId> replaced)
            throws InterruptedException {
        var objection = check.objection(offer);
        if (objection.isPresent()) {
            return Answer.no(objection.get());
        }
        if (context.books().negotiations().holds() >= MOST) {
            return tooMany();
        }
        return renegotiation
                .negotiate(
                        replaced.flatMap(context.books().agreements()::find),
                        check.possible(offer).alternatives())
                .fold(allocated -> held(name, allocated, until), declined -> Answer.no(declined.refusal()));
    }

    private Answer held(String name, Allocated allocated, Instant until) throws InterruptedException {
        var parts = allocated.commitments();
        var hold = new Hold(allocated.slot(), parts, allocated.effort(), until);
        boolean isHeld = false;
        try {
            isHeld = context.books().transactions().inOne(() -> keep(name, hold));
        } finally {
            // After a failure it is not known what is in the books: what they keep is not given back before its time.
            if (!isHeld) {
                context.sweeper().abandon(keys(hold));
            }
        }
        if (!isHeld) {
            context.sweeper().release(keys(hold));
            return tooMany();
        }
        return new Answer(Optional.of(allocated.slot()), parts, Optional.empty());
    }

    private static Answer tooMany() {
        return Answer.no(new Refused(RefusalCode.BUSY, MOST + " offers are held already."));
    }

    private boolean keep(String name, Hold hold) {
        if (!context.books().negotiations().hold(name, hold, MOST)) {
            return false;
        }
        var journal = context.books().journal();
        var changed = journal.advanceAll(
                keys(hold), change -> new Change(change.target(), ChangeStanding.HELD, change.mayArriveUntil()));
        journal.keep(hold.commitments().stream()
                .map(c -> new SiteReservation(c.site(), c.reservation()))
                .filter(made -> !changed.contains(made.reservation().key()))
                .toList());
        return true;
    }

    /** The reservations that are held by that name now. */
    Optional<Allocated> find(String name) {
        return context.books()
                .negotiations()
                .held(name)
                .filter(hold -> hold.until().isAfter(context.now()))
                .map(hold -> new Allocated(hold.slot(), hold.commitments(), hold.effort()));
    }

    /**
     * For the transaction that saves the agreement that is made of a hold.
     *
     * @throws IllegalStateException when it has ended meanwhile
     */
    void take(String name) {
        if (!context.books().negotiations().take(name)) {
            throw new IllegalStateException("The hold " + name + " has ended.");
        }
    }

    /** Gives a hold back before its time; does nothing when it has ended. */
    public void release(String name) throws InterruptedException {
        var hold = context.books().negotiations().held(name);
        if (hold.isEmpty()) {
            return;
        }
        var keys = keys(hold.get());
        boolean isOurs = context.books().transactions().inOne(() -> {
            if (!context.books().negotiations().take(name)) {
                return false;
            }
            var journal = context.books().journal();
            var changed = journal.advanceAll(keys, change -> change.decidedFor(change.target()));
            journal.strand(keys.stream().filter(key -> !changed.contains(key)).toList(), context.now());
            return true;
        });
        if (isOurs) {
            context.sweeper().release(keys);
        }
    }

    /** Gives back what was held until now or before; to be called from time to time. */
    public void expire() throws InterruptedException {
        for (var name : context.books().negotiations().lapsed(context.now(), CHUNK)) {
            release(name);
        }
    }

    private static List<RequestKey> keys(Hold hold) {
        return hold.commitments().stream().map(c -> c.reservation().key()).toList();
    }
}
