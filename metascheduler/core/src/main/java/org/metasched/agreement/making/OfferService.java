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
     * @param isVisible whether the caller may see an agreement
     */
    public Optional<Agreement> named(String name, Predicate<Agreement> isVisible) {
        var byId = AgreementId.isForm(name) ? find(new AgreementId(name)) : Optional.<Agreement>empty();
        return byId.filter(isVisible)
                .or(() -> newest(MOST_NAMED).stream()
                        .filter(agreement -> agreement.offer().isCalled(name))
                        .filter(isVisible)
                        .findFirst());
    }

    /** Events of an agreement, the oldest first. */
    public List<AgreementEvent> history(AgreementId id) {
        return parts.books().history().history(id);
    }

    /** The next events of all agreements after a number, in order, as far as no earlier one may still appear. */
    public List<NumberedEvent> eventsAfter(long number, int limit) {
        return parts.books().history().after(number, limit);
    }

    /** The next events of one agreement after a number, in order. */
    public List<NumberedEvent> eventsOf(AgreementId id, long after, int limit) {
        return parts.books().history().of(id, after, limit);
    }

    /** The number of the newest event; 0 if there is none. */
    public long newestEvent() {
        return parts.books().history().newest();
    }

    /** Agreements that hold reservations during a time, the last to begin first. */
    public List<Agreement> holding(TimeSlot within, int limit) {
        return parts.books().agreements().holding(within, limit);
    }

    /** Agreements in any state, the newest first. */
    public List<Agreement> newest(int limit) {
        return newest(Optional.empty(), limit);
    }

    /** A page of the agreements in any state, the newest first. */
    public List<Agreement> newest(Optional<AgreementId> after, int limit) {
        return newest(EnumSet.allOf(AgreementState.class), after, limit);
    }

    /**
     * A page of the agreements in any of these states, the newest first.
     *
     * @param after the last agreement of the page before; empty for the first page
     * @throws IllegalArgumentException when that agreement is not there any more
     */
    public List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit) {
        return parts.books().agreements().newest(states, after, limit);
    }

    /** Refused offers, the newest first. */
    public List<RefusedOffer> refused(Optional<Long> before, int limit) {
        return parts.books().history().refused(before, limit);
    }

    /** Agreements and pending offers of all initiators whose names pass the test, together. */
    public Held held(Predicate<String> initiators) {
        return parts.usage().of(initiators);
    }

    /**
     * Plans an offer. Nothing is held, and nothing is remembered. The advice is BUSY when too many plans are made at once.
     *
     * @param most number of ways wanted, at least 1
     * @param nearest whether to search requests that would be granted if this one is not: some hundred questions to sites
     * @throws InterruptedException while sites are asked
     */
    public OfferAdvice plan(AgreementOffer offer, int most, boolean nearest) throws InterruptedException {
        return parts.planner().plan(offer, most, nearest);
    }

    /** Plans alternatives, and the nearest requests to them if they would be refused. */
    public OfferAdvice plan(List<AgreementRequest> alternatives, int most) throws InterruptedException {
        var offer = new AgreementOffer(
                new OfferKey("", "advice"),
                "",
                templates().get(0).key(),
                alternatives,
                List.of(),
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty(),
                Optional.empty());
        return plan(offer, most, true);
    }

    /** Decision about an offer. */
    @FunctionalInterface
    public interface Decision {
        CreationOutcome about(AgreementOffer offer) throws InterruptedException;
    }

    /**
     * Decides an offer within the quota of its sender.
     *
     * @param read reads the offer; called only if the sender may make an offer now
     * @param decision one of the deciding methods below
     */
    public CreationOutcome within(OfferQuota quota, Supplier<AgreementOffer> read, Decision decision)
            throws InterruptedException {
        var endOfTurn = quota.begin();
        if (endOfTurn.isEmpty()) {
            return exceeded("or its VO has too many offers under way");
        }
        try {
            var offer = read.get();
            double nodeHours = offer.alternatives().get(0).nodeHours();
            var reason = quota.exceeded(nodeHours, parts.usage()::of);
            return reason.isPresent() ? exceeded(reason.get()) : unlessTaken(offer, decision.about(offer));
        } finally {
            endOfTurn.get().run();
        }
    }

    private static Refused exceeded(String reason) {
        return new Refused(RefusalCode.BUSY, "The sender " + reason + "; repeat the offer later.");
    }

    /** The outcome, or a refusal if the id belongs to another offer: the outcome would be an agreement about something else. */
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

    /** Decides an offer; the agreement gets an id chosen by the caller, which no other agreement has. */
    public CreationOutcome offer(AgreementOffer offer, AgreementId id) throws InterruptedException {
        return decide(offer, id, Optional.empty(), Optional.empty());
    }

    /**
     * Makes an agreement of a held offer, or of one whose hold has ended, in the place of an older agreement if one is named: from one
     * transaction on the new one is observed and the old one is being ended. If the new one cannot be made, the old one stays as it was.
     *
     * @param hold name of the hold, if the offer is held
     * @param replaced the older agreement, which must be observed
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
     * Ends an agreement and gives its reservations back. What a silent site still holds then is left to the sweeper, and the
     * agreement stays {@code ObservedAndTerminating} until that is done.
     */
    public TerminationOutcome end(AgreementId id, String reason) throws InterruptedException {
        return parts.termination().end(id, reason);
    }

    /** Decides again the pending offers of processes that are gone; returns their number. */
    int recover() {
        parts.locks().releasePostponed();
        return parts.pending().recover();
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
            var fromOtherProcess = lock.lockAmongProcesses();
            return fromOtherProcess.isPresent() ? fromOtherProcess.get() : negotiate(offered, hold, old);
        }
    }

    private CreationOutcome negotiate(Agreement offered, Optional<String> hold, Optional<Agreement> old)
            throws InterruptedException {
        var held = hold.flatMap(parts.holds()::find);
        var result = held.isPresent()
                ? held.get()
                : parts.renegotiation().negotiate(old, offered.offer().alternatives());
        var usedHold = held.isPresent() ? hold : Optional.<String>empty();
        return result.fold(
                allocated -> old.isPresent()
                        ? parts.settlement().replace(offered, allocated, old.get(), usedHold)
                        : parts.settlement().keep(offered, allocated, usedHold),
                declined -> declined.refusal());
    }
}
