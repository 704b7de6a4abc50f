package org.metasched.agreement.making;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.RequestKey;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.NegotiationBook.Hold;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.agreement.making.NegotiationResult.Declined;
import org.metasched.negotiation.ReservationJournal.Change;
import org.metasched.negotiation.ReservationJournal.ChangeStanding;
import org.metasched.negotiation.ReservationJournal.Standing;
import org.metasched.negotiation.SiteReservation;

/**
 * Offers under negotiation: advice about them, and reservations that are held for them until a stated time. Any process on the same
 * store can make an agreement of a hold, also after a restart. A hold ends once, in the transaction that makes the agreement or gives
 * the reservations back. Thread-safe.
 */
public final class HeldOffers {

    private static final int MOST_HOLDS = 1000;
    private static final int MOST_EXPIRED_AT_ONCE = 100;

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

    /** Advice about an offer as the sites are now. Reserves nothing. */
    public OfferAdvice advice(AgreementOffer offer) throws InterruptedException {
        var objection = check.objection(offer);
        return objection.isPresent()
                ? OfferAdvice.no(objection.get())
                : negotiator.advice(check.possible(offer).alternatives(), 1, false);
    }

    /**
     * Reserves what the offer asks for, and holds it.
     *
     * @param name name of the hold, not used before
     * @param until time at which the hold ends
     * @param replaced the agreement that the offer is to replace, if there is one
     */
    public NegotiationResult hold(String name, AgreementOffer offer, Instant until, Optional<AgreementId> replaced)
            throws InterruptedException {
        var old = replaced.flatMap(context.books().agreements()::find);
        var objection = OfferCheck.objection(replaced, old).or(() -> check.objection(offer));
        if (objection.isPresent()) {
            return new Declined(objection.get());
        }
        if (context.books().negotiations().holds() >= MOST_HOLDS) {
            return tooMany();
        }
        return renegotiation
                .negotiate(old, check.possible(offer).alternatives())
                .<NegotiationResult, InterruptedException>fold(
                        allocated -> store(name, allocated, until), declined -> declined);
    }

    private NegotiationResult store(String name, Allocated allocated, Instant until) throws InterruptedException {
        var hold =
                new Hold(allocated.slot(), allocated.commitments(), allocated.effort(), until, allocated.alternative());
        boolean isHeld = false;
        var no = tooMany();
        try {
            isHeld = context.books().transactions().inTransaction(() -> keep(name, hold));
        } catch (IllegalStateException e) {
            no = new Declined(OfferSettlement.unfinished("Hold " + name, e));
        } finally {
            // After a failure the hold may be stored or not: the sweeper gives back only reservations that the journal
            // does not keep.
            if (!isHeld) {
                context.sweeper().abandon(keys(hold));
            }
        }
        if (!isHeld) {
            context.sweeper().release(keys(hold));
            return no;
        }
        return allocated;
    }

    private static Declined tooMany() {
        return new Declined(new Refused(RefusalCode.BUSY, MOST_HOLDS + " offers are held already."));
    }

    private boolean keep(String name, Hold hold) {
        if (!context.books().negotiations().hold(name, hold, MOST_HOLDS)) {
            return false;
        }
        var journal = context.books().journal();
        // Old reservations that were changed in place for the hold are kept already.
        var changed = journal.advanceAll(
                keys(hold), change -> new Change(change.target(), ChangeStanding.HELD, change.mayArriveUntil()));
        journal.keep(hold.commitments().stream()
                .map(c -> new SiteReservation(c.site(), c.reservation()))
                .filter(made -> !changed.contains(made.reservation().key()))
                .toList());
        return true;
    }

    /** The reservations of a hold; empty if it has ended, or if a repair of the older agreement took one of them away: then it ends here. */
    Optional<Allocated> find(String name) throws InterruptedException {
        var held = context.books()
                .negotiations()
                .held(name)
                .filter(hold -> hold.until().isAfter(context.now()));
        if (held.isPresent() && !isKept(keys(held.get()))) {
            release(name);
            return Optional.empty();
        }
        return held.map(hold -> new Allocated(hold.alternative(), hold.slot(), hold.commitments(), hold.effort()));
    }

    private boolean isKept(List<RequestKey> keys) {
        return context.books().journal().find(keys).stream()
                        .filter(entry -> entry.standing() == Standing.KEPT)
                        .count()
                == keys.size();
    }

    /**
     * Ends a hold inside the transaction that saves the agreement made of it.
     *
     * @throws IllegalStateException when the hold has ended already
     */
    void take(String name) {
        if (!context.books().negotiations().take(name)) {
            throw new IllegalStateException("The hold " + name + " has ended.");
        }
    }

    /** Ends a hold and gives its reservations back; does nothing if it has ended. */
    public void release(String name) throws InterruptedException {
        var hold = context.books().negotiations().held(name);
        if (hold.isEmpty()) {
            return;
        }
        var keys = keys(hold.get());
        boolean isEndedHere = context.books().transactions().inTransaction(() -> {
            if (!context.books().negotiations().take(name)) {
                return false;
            }
            var journal = context.books().journal();
            var changed = journal.advanceAll(keys, change -> change.decidedFor(change.target()));
            journal.orphan(keys.stream().filter(key -> !changed.contains(key)).toList(), context.now());
            return true;
        });
        if (isEndedHere) {
            context.sweeper().release(keys);
        }
    }

    /** Ends the holds whose time is over; to be called from time to time. */
    public void expire() throws InterruptedException {
        for (var name : context.books().negotiations().lapsed(context.now(), MOST_EXPIRED_AT_ONCE)) {
            release(name);
        }
    }

    private static List<RequestKey> keys(Hold hold) {
        return hold.commitments().stream().map(c -> c.reservation().key()).toList();
    }
}
