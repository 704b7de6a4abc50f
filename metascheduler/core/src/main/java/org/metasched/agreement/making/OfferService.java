package org.metasched.agreement.making;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.AgreementMaking.Parts;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.OfferLocks.Lock;

/**
 * Application service for offers and their agreements, used by every interface. The responder's side of WS-Agreement. Thread-safe.
 *
 * <p>What it returns is durable. A synchronous offer leaves nothing in the store before it is accepted; the journal knows
 * of the reservations meanwhile. A pending offer is stored at once, and decided again after a restart.
 */
public final class OfferService {

    private static final int MOST_NAMED = 1000;

    private final Parts parts;

    OfferService(Parts parts) {
        this.parts = parts;
    }

    /** The templates that are on offer now. */
    public List<AgreementTemplate> templates() {
        return parts.check().templates();
    }

    /** The agreement of that id as last saved; empty if there is none. */
    public Optional<Agreement> find(AgreementId id) {
        return parts.books().agreements().find(id);
    }

    /** The agreement that was made of an offer with this key; empty if there is none. */
    public Optional<Agreement> find(OfferKey key) {
        return parts.books().agreements().findByOffer(key);
    }

    /**
     * The agreement with this id, or else the newest with this as the id of its offer or its label, among the last
     * {@value #MOST_NAMED}.
     *
     * @param seen whether the caller may see an agreement
     */
    public Optional<Agreement> named(String name, Predicate<Agreement> seen) {
        var found = AgreementId.isForm(name) ? find(new AgreementId(name)) : Optional.<Agreement>empty();
        return found.filter(seen)
                .or(() -> newest(MOST_NAMED).stream()
                        .filter(agreement -> agreement.offer().isCalled(name))
                        .filter(seen)
                        .findFirst());
    }

    /** Events of an agreement, the oldest first. */
    public List<AgreementEvent> history(AgreementId id) {
        return parts.books().history().history(id);
    }

    /** Events of all agreements after a number, in order: the next ones that are certain to be complete. */
    public List<NumberedEvent> eventsAfter(long number, int limit) {
        return parts.books().history().after(number, limit);
    }

    /** Events of one agreement after a place, in the order of their numbers. */
    public List<NumberedEvent> eventsOf(AgreementId id, long after, int limit) {
        return parts.books().history().of(id, after, limit);
    }

    /** The number of the newest event; 0 if there is none. */
    public long newestEvent() {
        return parts.books().history().newest();
    }

    /** Agreements that hold something at a site within a time, the last to begin first. */
    public List<Agreement> holding(TimeSlot within, int limit) {
        return parts.books().agreements().holding(within, limit);
    }

    /** Agreements in any state, the newest first. */
    public List<Agreement> newest(int limit) {
        return newest(EnumSet.allOf(AgreementState.class), Optional.empty(), limit);
    }

    /**
     * A page of those in any of these states, the newest first.
     *
     * @param after the last one of the page before
     * @throws IllegalArgumentException when that one is not there any more
     */
    public List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit) {
        return parts.books().agreements().newest(states, after, limit);
    }

    /** Refused offers, the newest first. */
    public List<RefusedOffer> refused(Optional<Long> before, int limit) {
        return parts.books().history().refused(before, limit);
    }

    /** Holdings of the initiators with such names: agreements and pending offers. */
    public Held held(Predicate<String> initiators) {
        return parts.usage().of(initiators);
    }

    /**
     * Plans an offer. Nothing is held, and nothing is remembered. BUSY when too many plans are made at once.
     *
     * @param most ways wanted, at least 1
     * @param nearest whether to search requests that would be granted if this one is not: some hundred questions to sites
     * @throws InterruptedException while sites are asked
     */
    public OfferAdvice plan(AgreementOffer offer, int most, boolean nearest) throws InterruptedException {
        return parts.planner().plan(offer, most, nearest);
    }

    /** Plans alternatives now, and the nearest ones to them if they would be refused. */
    public OfferAdvice plan(List<AgreementRequest> alternatives, int most) throws InterruptedException {
        var offer = new AgreementOffer(
                new OfferKey("", "advice"),
                "",
                templates().get(0).key(),
                alternatives,
                List.of(),
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty());
        return plan(offer, most, true);
    }

    /** Decides about an offer that was read. */
    @FunctionalInterface
    public interface Decision {
        CreationOutcome about(AgreementOffer offer) throws InterruptedException;
    }

    /**
     * Decides an offer within the quota of its sender.
     *
     * @param read reads the offer, after the sender may offer at all
     * @param decision one of the methods below
     */
    public CreationOutcome within(OfferQuota quota, Supplier<AgreementOffer> read, Decision decision)
            throws InterruptedException {
        var turn = quota.begin();
        if (turn.isEmpty()) {
            return exceeded("or its VO has too many offers under way");
        }
        try {
            var offer = read.get();
            double nodeHours = offer.alternatives().get(0).nodeHours();
            var reason = quota.exceeded(nodeHours, parts.usage()::of);
            return reason.isPresent() ? exceeded(reason.get()) : unlessTaken(offer, decision.about(offer));
        } finally {
            turn.get().run();
        }
    }

    private static Refused exceeded(String reason) {
        return new Refused(RefusalCode.BUSY, "The sender " + reason + "; repeat the offer later.");
    }

    /** An agreement id names one offer: used for another, it would return an agreement about something else. */
    private static CreationOutcome unlessTaken(AgreementOffer offer, CreationOutcome outcome) {
        return outcome.fold(
                created -> created.repeated()
                                && !created.agreement().offer().document().equals(offer.document())
                        ? new Refused(
                                RefusalCode.AGREEMENT_ID_TAKEN,
                                "The agreement id (" + offer.key().id() + ") was used for another offer before.")
                        : created,
                refused -> refused);
    }

    /**
     * Decides an offer, and returns when the decision is durable. An offer whose key was accepted before gets the agreement
     * that was made then; one that is being decided waits for that decision.
     *
     * @throws org.metasched.negotiation.StoreBusyException when the store has no room for more work
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     */
    public CreationOutcome offer(AgreementOffer offer) throws InterruptedException {
        return offer(offer, AgreementId.random());
    }

    /** The same with an id of the caller's, which no other agreement has. */
    public CreationOutcome offer(AgreementOffer offer, AgreementId id) throws InterruptedException {
        return decide(offer, id, Optional.empty(), Optional.empty());
    }

    /**
     * Makes an agreement of a held offer, or of one whose hold has ended, in the place of an older agreement if one is named: from one
     * transaction on the new one is observed and the old one is being ended; if the new one cannot be made, the old one is as it was.
     *
     * @param hold its name
     * @param replaced an observed agreement
     */
    public CreationOutcome renegotiate(AgreementOffer offer, Optional<String> hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        return decide(offer, AgreementId.random(), hold, replaced);
    }

    /** Stores an offer as pending and decides it in the background; listeners hear of the decision. */
    public CreationOutcome offerPending(AgreementOffer offer) {
        parts.books().transactions().admit();
        var earlier = parts.books().agreements().findByOffer(offer.key());
        if (earlier.isPresent()) {
            return new Created(earlier.get(), true);
        }
        var objection = objection(offer);
        return objection.isPresent()
                ? parts.settlement().remember(offer, objection.get())
                : parts.pending().begin(parts.check().possible(offer));
    }

    /**
     * Ends an agreement: gives its reservations back. What a silent site still holds then is left to the sweeper, and the
     * agreement stays {@code ObservedAndTerminating} until that is done.
     */
    public TerminationOutcome end(AgreementId id, String reason) throws InterruptedException {
        return parts.termination().end(id, reason);
    }

    private Optional<Refused> objection(AgreementOffer offer) {
        return parts.context().underWay().refusal().or(() -> parts.check().objection(offer));
    }

    private CreationOutcome decide(
            AgreementOffer offer, AgreementId id, Optional<String> hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        parts.books().transactions().admit();
        try (var lock = parts.locks().lock(offer.key())) {
            var outcome = lock.earlier().isPresent()
                    ? lock.earlier().get()
                    : decide(
                            lock,
                            Agreement.offered(
                                    id,
                                    parts.check().possible(offer),
                                    parts.context().now()),
                            hold,
                            replaced);
            return parts.settlement().remember(offer, lock.complete(outcome));
        }
    }

    private CreationOutcome decide(Lock lock, Agreement offered, Optional<String> hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        var old = replaced.flatMap(this::find);
        if (replaced.isPresent()
                && old.filter(a -> a.state() == AgreementState.OBSERVED).isEmpty()) {
            return new Refused(RefusalCode.WITHDRAWN, "The agreement " + replaced.get() + " is not observed any more.");
        }
        var objection = objection(offered.offer());
        if (objection.isPresent()) {
            return objection.get();
        }
        if (!parts.context().underWay().tryBegin()) {
            return OffersUnderWay.busy();
        }
        try (var mine = parts.context().underWay().onThisThread()) {
            var elsewhere = lock.share();
            return elsewhere.isPresent() ? elsewhere.get() : negotiate(offered, hold, old);
        }
    }

    private CreationOutcome negotiate(Agreement offered, Optional<String> hold, Optional<Agreement> old)
            throws InterruptedException {
        var held = hold.flatMap(parts.holds()::find);
        var result = held.isPresent()
                ? held.get()
                : parts.renegotiation().negotiate(old, offered.offer().alternatives());
        var taken = held.isPresent() ? hold : Optional.<String>empty();
        return result.fold(
                allocated -> old.isPresent()
                        ? parts.settlement().replace(offered, allocated, old.get(), taken)
                        : parts.settlement().keep(offered, allocated, taken),
                declined -> declined.refusal());
    }
}
