package org.metasched.agreement.making;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementHistory;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.AgreementMaking.Steps;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.agreement.making.OfferLocks.Lock;

/**
 * Application service for offers and their agreements, the responder's side of WS-Agreement. SOAP, REST, console and claims call it.
 * Thread-safe.
 *
 * <p>Returned agreements are durable. A synchronous offer is stored when it is accepted; until then only the journal has its
 * reservations. A pending offer is stored at once, and decided again after a restart.
 */
public final class OfferService {

    private static final int MOST_NAMED = 1000;

    private final Steps steps;

    OfferService(Steps steps) {
        this.steps = steps;
    }

    /** The templates that are on offer now. */
    public List<AgreementTemplate> templates() {
        return steps.check().templates();
    }

    /** The agreement of that id as last saved; empty if there is none. */
    public Optional<Agreement> find(AgreementId id) {
        return steps.books().agreements().find(id);
    }

    /** The agreement that was made of an offer with this key; empty if there is none. */
    public Optional<Agreement> find(OfferKey key) {
        return steps.books().agreements().findByOffer(key);
    }

    /**
     * The agreement of this name that the caller may see: the one with this id, or else, among the newest {@value #MOST_NAMED}, the
     * first whose offer {@linkplain AgreementOffer#isCalled has} this id or label. Empty if there is none.
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

    /** The events of agreements, and the refused offers. */
    public AgreementHistory history() {
        return steps.books().history();
    }

    /** Agreements that hold reservations during a time, the latest start first, at most {@code limit}. */
    public List<Agreement> holding(TimeSlot within, int limit) {
        return steps.books().agreements().holding(within, limit);
    }

    /** Agreements in any state, the newest first. */
    public List<Agreement> newest(int limit) {
        return newest(EnumSet.allOf(AgreementState.class), Optional.empty(), limit);
    }

    /**
     * A page of the agreements in any of these states, the newest first.
     *
     * @param after the last agreement of the page before; empty for the first page
     * @throws IllegalArgumentException when that agreement is not there any more
     */
    public List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit) {
        return steps.books().agreements().newest(states, after, limit);
    }

    /** Agreements, and offers under way or pending, of all initiators whose names pass the test, together. */
    public Held held(Predicate<String> initiators) {
        return steps.usage().of(initiators, Optional.empty());
    }

    /**
     * Plans an offer. Nothing is reserved or stored. The advice is BUSY when too many plans are made at once.
     *
     * @param most number of ways wanted, at least 1
     * @param nearest whether to search similar requests if this one would be refused: some hundred questions to sites
     * @throws InterruptedException when the thread is interrupted while sites are asked
     */
    public OfferAdvice plan(AgreementOffer offer, int most, boolean nearest) throws InterruptedException {
        return steps.planner().plan(offer, most, nearest);
    }

    /** Plans alternatives, from the first template; and the nearest requests to them if they would be refused. */
    public OfferAdvice plan(List<AgreementRequest> alternatives, int most) throws InterruptedException {
        var key = new OfferKey("", "advice");
        return plan(AgreementOffer.of(key, templates().get(0).key(), alternatives, OfferDocument.NONE), most, true);
    }

    /** Decision about an offer: whether an agreement is made of it, or reservations are held for it. */
    @FunctionalInterface
    public interface Decision<T> {
        T about(AgreementOffer offer) throws InterruptedException;

        /** The agreement that a new one is to replace, so that a quota does not count it; empty if there is none. */
        default Optional<AgreementId> replaced() {
            return Optional.empty();
        }
    }

    /** Decision about an offer that is to replace an agreement. */
    public record Replacing<T>(Optional<AgreementId> replaced, Decision<T> decision) implements Decision<T> {

        @Override
        public T about(AgreementOffer offer) throws InterruptedException {
            return decision.about(offer);
        }
    }

    /**
     * Decides an offer within the quota of its sender. Alternatives that exceed the quota are left out.
     *
     * @param read reads the offer; called only if the sender may make an offer now
     * @param decision one of the deciding methods below
     */
    public CreationOutcome within(OfferQuota quota, Supplier<AgreementOffer> read, Decision<CreationOutcome> decision)
            throws InterruptedException {
        return within(
                quota,
                read,
                decision.replaced(),
                offer -> unlessTaken(offer, decision.about(offer)),
                refused -> refused,
                offer -> find(offer.key()).map(earlier -> unlessTaken(offer, new Created(earlier, true))));
    }

    /** As above, for any decision; {@code no} makes one of a refusal. */
    public <T> T within(OfferQuota quota, Supplier<AgreementOffer> read, Decision<T> decision, Function<Refused, T> no)
            throws InterruptedException {
        return within(quota, read, decision.replaced(), decision, no, offer -> Optional.empty());
    }

    /** @param earlier the decision that was made about an offer before, for which no quota counts */
    private <T> T within(
            OfferQuota quota,
            Supplier<AgreementOffer> read,
            Optional<AgreementId> replaced,
            Decision<T> decision,
            Function<Refused, T> no,
            Function<AgreementOffer, Optional<T>> earlier)
            throws InterruptedException {
        var release = quota.begin();
        if (release.isEmpty()) {
            return no.apply(exceeded("or its VO has too many offers under way"));
        }
        try {
            var offer = read.get();
            var old = replaced.flatMap(this::find).filter(a -> a.state() == AgreementState.OBSERVED);
            var reasons = new ArrayList<String>();
            var allowed = steps.usage().begin(offer, quota, old, reasons::add);
            try {
                return allowed.isEmpty()
                        ? earlier.apply(offer).orElseGet(() -> no.apply(exceeded(reasons.get(reasons.size() - 1))))
                        : decision.about(offer.with(allowed, offer.guarantees()));
            } finally {
                steps.usage().end(offer);
            }
        } finally {
            release.get().run();
        }
    }

    private static Refused exceeded(String reason) {
        return new Refused(RefusalCode.BUSY, "The sender " + reason + "; repeat the offer later.");
    }

    /** The outcome; a refusal if it is an agreement that was made of another offer under the same id. */
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
     * @throws InterruptedException after all reservations made so far were given back, or left to the sweeper
     */
    public CreationOutcome offer(AgreementOffer offer) throws InterruptedException {
        return offer(offer, AgreementId.random());
    }

    /** Decides an offer; the agreement gets an id chosen by the caller, which no other agreement has. */
    public CreationOutcome offer(AgreementOffer offer, AgreementId id) throws InterruptedException {
        return decide(offer, id, Optional.empty(), Optional.empty());
    }

    /**
     * Makes an agreement of an offer under negotiation. An older agreement that it replaces is being ended from the same transaction on;
     * if the new agreement cannot be made, the older one stays as it was.
     *
     * @param hold name of the hold with the reservations; if it has ended, new ones are made. Empty if the offer was not held
     * @param replaced the older agreement, which must be observed; empty if there is none
     */
    public CreationOutcome renegotiate(AgreementOffer offer, Optional<String> hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        return decide(offer, AgreementId.random(), hold, replaced);
    }

    /** Stores an offer as pending and decides it in the background; listeners receive the decision. */
    public CreationOutcome offerPending(AgreementOffer offer) {
        steps.books().transactions().admit();
        var earlier = steps.books().agreements().findByOffer(offer.key());
        if (earlier.isPresent()) {
            return new Created(earlier.get(), true);
        }
        var objection = objection(offer);
        return objection.isPresent()
                ? steps.settlement().remember(offer, objection.get())
                : steps.pending().begin(steps.check().possible(offer));
    }

    /**
     * Ends an agreement and gives its reservations back. The sweeper gives back those that a silent site still holds; until then the
     * agreement stays {@code ObservedAndTerminating}.
     */
    public TerminationOutcome end(AgreementId id, String reason) throws InterruptedException {
        return steps.termination().end(id, reason);
    }

    /** Decides again the pending offers of processes that are gone; returns their number. */
    int recover() {
        steps.locks().releasePostponed();
        return steps.pending().recover();
    }

    private Optional<Refused> objection(AgreementOffer offer) {
        return steps.context().underWay().refusal().or(() -> steps.check().objection(offer));
    }

    private CreationOutcome decide(
            AgreementOffer offer, AgreementId id, Optional<String> hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        steps.books().transactions().admit();
        try (var lock = steps.locks().lock(offer.key())) {
            var outcome = lock.earlier().isPresent()
                    ? lock.earlier().get()
                    : decide(
                            lock,
                            Agreement.offered(
                                    id,
                                    steps.check().possible(offer),
                                    steps.context().now()),
                            hold,
                            replaced);
            return steps.settlement().remember(offer, lock.complete(outcome));
        }
    }

    private CreationOutcome decide(Lock lock, Agreement offered, Optional<String> hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        var old = replaced.flatMap(this::find);
        var objection = OfferCheck.objection(replaced, old).or(() -> objection(offered.offer()));
        if (objection.isPresent()) {
            return objection.get();
        }
        if (!steps.context().underWay().tryBegin()) {
            return OffersUnderWay.busy();
        }
        try (var registration = steps.context().underWay().onThisThread()) {
            var madeElsewhere = lock.lockAmongProcesses();
            return madeElsewhere.isPresent() ? madeElsewhere.get() : negotiate(offered, hold, old);
        }
    }

    private CreationOutcome negotiate(Agreement offered, Optional<String> hold, Optional<Agreement> old)
            throws InterruptedException {
        var held = hold.isPresent() ? steps.holds().find(hold.get()) : Optional.<Allocated>empty();
        var result = held.isPresent()
                ? held.get()
                : steps.renegotiation().negotiate(old, offered.offer().alternatives());
        var usedHold = held.isPresent() ? hold : Optional.<String>empty();
        return result.fold(
                allocated -> old.isPresent()
                        ? steps.settlement().replace(offered, allocated, old.get(), usedHold)
                        : steps.settlement().keep(offered, allocated, usedHold),
                declined -> declined.refusal());
    }
}
