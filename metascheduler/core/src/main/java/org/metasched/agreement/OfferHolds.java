package org.metasched.agreement;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.AgreementMaking.Made.Allocated;
import org.metasched.agreement.CreationOutcome.Refused;
import org.metasched.negotiation.OrphanSweeper;

/**
 * Offers under negotiation: what could be had, and slots that are held for a stated time so that an agreement can be made of them. A
 * hold ends once: it becomes an agreement or is given back. The journal knows of it as granted, so that one which a crash cut off is given
 * back at the next start. Thread-safe.
 */
public final class OfferHolds {

    private static final int MOST = 1000;

    private final AgreementMaking making;
    private final OfferCheck check;
    private final OrphanSweeper sweeper;
    private final Clock clock;
    private final Map<String, Hold> holds = new ConcurrentHashMap<>();

    OfferHolds(AgreementMaking making, OfferCheck check, OrphanSweeper sweeper, Clock clock) {
        this.making = making;
        this.check = check;
        this.sweeper = sweeper;
        this.clock = clock;
    }

    /** Reservations at all sites of an offer, until a time. */
    record Hold(Allocated allocated, Instant until) {}

    /**
     * The answer to an offer that is to be held.
     *
     * @param slot of all; nothing when it is refused
     * @param commitments what is reserved, in the order of the parts
     */
    public record Answer(Optional<TimeSlot> slot, List<Commitment> commitments, Optional<Refused> refused) {
        static Answer no(Refused why) {
            return new Answer(Optional.empty(), List.of(), Optional.of(why));
        }
    }

    /** What the offer would get now. Asks sites and holds nothing. */
    public Advice look(AgreementOffer offer) throws InterruptedException {
        var objection = check.objection(offer);
        return objection.isPresent() ? Advice.no(objection.get()) : making.plan(offer.alternatives(), 1, false);
    }

    /**
     * Reserves what the offer asks for, and holds it.
     *
     * @param name of the hold, not used before
     */
    public Answer hold(String name, AgreementOffer offer, Instant until) throws InterruptedException {
        var objection = check.objection(offer);
        if (objection.isPresent()) {
            return Answer.no(objection.get());
        }
        if (holds.size() >= MOST) {
            return Answer.no(new Refused(RefusalCode.BUSY, MOST + " offers are held already."));
        }
        return making.make(offer)
                .fold(
                        allocated -> {
                            holds.put(name, new Hold(allocated, until));
                            return new Answer(Optional.of(allocated.slot()), allocated.commitments(), Optional.empty());
                        },
                        declined -> Answer.no(declined.refusal()));
    }

    /** Takes a hold out, for the one who makes an agreement of it. */
    Optional<Allocated> take(String name) {
        var hold = Optional.ofNullable(holds.get(name)).filter(this::lasts);
        return hold.filter(h -> holds.remove(name, h)).map(Hold::allocated);
    }

    private boolean lasts(Hold hold) {
        return hold.until.isAfter(clock.instant());
    }

    /** Gives a hold back before its time; does nothing when it has ended. */
    public void release(String name) throws InterruptedException {
        var hold = Optional.ofNullable(holds.remove(name));
        if (hold.isPresent()) {
            giveBack(hold.get());
        }
    }

    /** Gives back what was held until now or before; to be called from time to time. */
    public void expire() throws InterruptedException {
        for (var entry : holds.entrySet()) {
            if (!lasts(entry.getValue()) && holds.remove(entry.getKey(), entry.getValue())) {
                giveBack(entry.getValue());
            }
        }
    }

    /** Gives everything back: for the end of a server. */
    public void releaseAll() throws InterruptedException {
        for (var name : holds.keySet()) {
            release(name);
        }
    }

    private void giveBack(Hold hold) throws InterruptedException {
        var keys = hold.allocated.commitments().stream()
                .map(c -> c.reservation().key())
                .toList();
        sweeper.abandon(keys);
        sweeper.release(keys);
    }
}
