package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.Transactions;
import org.metasched.agreement.guarantee.ServiceLevels;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.OfferNegotiator.Made;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.sites.SiteDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, shows and ends agreements: the responder's side of WS-Agreement. Thread-safe.
 *
 * <p>What it returns is durable. A synchronous offer leaves nothing in the store before it is accepted; the journal knows
 * of the reservations meanwhile. A pending offer is stored at once, and decided again after a restart.
 */
public final class AgreementService {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementService.class);
    /** Offers that are negotiated at the same time; further ones are refused as BUSY. */
    private static final int MOST_UNDER_WAY = 1024;

    private static final Set<AgreementState> UNDECIDED =
            Set.of(AgreementState.PENDING, AgreementState.PENDING_AND_TERMINATING);

    private final AgreementRepository repository;
    private final ReservationJournal journal;
    private final Transactions transactions;
    private final OrphanSweeper sweeper;
    private final OfferNegotiator making;
    private final SiteSelector selector;
    private final ServiceLevels levels;
    private final OfferCheck check;
    private final Supplier<List<AgreementTemplate>> templates;
    private final ExecutorService background;
    private final Clock clock;
    private final OfferLocks turns;
    /** Pending offers whose decision the store did not take. */
    private final Queue<AgreementId> postponed = new ConcurrentLinkedQueue<>();

    private final OfferHolds holds;
    private final DegradedRepair repair;
    private final OffersUnderWay offers = new OffersUnderWay(MOST_UNDER_WAY);
    private final List<AgreementListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean draining;

    /** Where agreements and the journal live. */
    public record Books(
            AgreementRepository repository,
            ReservationJournal journal,
            NegotiationBook negotiations,
            Transactions transactions) {}

    /**
     * @param levels judges what guarantees promise beyond the reservations
     * @param templates what is on offer at any time
     * @param background runs the negotiations of pending offers; stays the caller's
     */
    public AgreementService(
            Books books,
            NegotiationEngine engine,
            OrphanSweeper sweeper,
            SiteDirectory sites,
            SiteSelector selector,
            ServiceLevels levels,
            ProgramAdmission programs,
            Supplier<List<AgreementTemplate>> templates,
            ExecutorService background,
            Clock clock) {
        this.repository = books.repository();
        this.journal = books.journal();
        this.transactions = books.transactions();
        this.sweeper = sweeper;
        this.selector = selector;
        this.levels = levels;
        this.making = new OfferNegotiator(engine, selector, programs, sites, clock);
        this.templates = templates;
        this.check = new OfferCheck(this.templates, sites, levels, clock);
        this.holds = new OfferHolds(making, check, sweeper, books, clock);
        this.turns = new OfferLocks(repository);
        this.repair = new DegradedRepair(this, books, making, sweeper, offers, background, clock);
        this.background = background;
        this.clock = clock;
    }

    /** The templates that are on offer now. */
    public List<AgreementTemplate> templates() {
        return templates.get();
    }

    /** Replaces reservations that lost nodes before their slot. */
    public DegradedRepair repair() {
        return repair;
    }

    /** The language of guarantee terms. */
    public ServiceLevels levels() {
        return levels;
    }

    /** Listeners are called in the order of their registration. */
    public void onChange(AgreementListener listener) {
        listeners.add(listener);
    }

    /** The agreement of that id as last saved; empty if there is none. */
    public Optional<Agreement> find(AgreementId id) {
        return repository.find(id);
    }

    /** What happened to an agreement, the first first. */
    public List<AgreementEvent> history(AgreementId id) {
        return repository.history(id);
    }

    /** What each initiator holds by agreements in any of these states. */
    public List<AgreementRepository.Held> held(Set<AgreementState> states) {
        return repository.held(states);
    }

    /** The oldest first. */
    public List<Agreement> inState(Set<AgreementState> states, int limit) {
        return repository.inState(states, limit);
    }

    /** Those that hold something at a site within a time, the last to begin first. */
    public List<Agreement> holding(TimeSlot within, int limit) {
        return repository.holding(within, limit);
    }

    /** In any state, the newest first. */
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
        return repository.newest(states, after, limit);
    }

    /**
     * Decides an offer, and returns when the decision is durable. An offer whose key was accepted before gets the agreement
     * that was made then; one that is being decided waits for that decision.
     *
     * @throws org.metasched.negotiation.StoreBusyException when the store has no room for more work
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     */
    public CreationOutcome create(AgreementOffer offer) throws InterruptedException {
        return create(offer, AgreementId.random());
    }

    /** The same with an id of the caller's, which no other agreement has. */
    public CreationOutcome create(AgreementOffer offer, AgreementId id) throws InterruptedException {
        transactions.admit();
        return noted(offer, turns.once(offer.key(), () -> decideOnce(offer, id)));
    }

    /** Refused offers, the newest first. */
    public List<RefusedOffer> refused(Optional<Long> before, int limit) {
        return repository.refused(before, limit);
    }

    /** What is too much to do now is not worth more work. */
    private CreationOutcome noted(AgreementOffer offer, CreationOutcome outcome) {
        return outcome.fold(made -> made, refused -> {
            try {
                if (refused.code() != RefusalCode.BUSY) {
                    repository.refuse(new RefusedOffer(
                            0, clock.instant(), offer.key(), refused.code(), refused.reason(), offer.alternatives()));
                }
            } catch (StoreUnavailableException e) {
                LOG.warn("A refused offer was not remembered: {}", e.getMessage());
            }
            return refused;
        });
    }

    /**
     * What would come of an offer. Nothing is held, and nothing is remembered.
     *
     * @param most ways wanted, at least 1
     * @param nearest whether requests are looked for that would be granted, if this one would not: some hundred questions to sites
     * @throws InterruptedException while sites are asked
     */
    public Advice advise(AgreementOffer offer, int most, boolean nearest) throws InterruptedException {
        var objection = check.objection(offer);
        if (objection.isPresent()) {
            return Advice.no(objection.get());
        }
        var advice = making.plan(offer.alternatives(), most, true);
        if (!nearest || !advice.ways().isEmpty()) {
            return advice;
        }
        return new Advice(
                advice.code(),
                List.of(),
                advice.proven(),
                advice.reason() + making.clauses(offer.alternatives()),
                new NearestRequests(making, selector, clock).like(offer.alternatives()));
    }

    private CreationOutcome decideOnce(AgreementOffer offer, AgreementId id) throws InterruptedException {
        var objection = objection(offer);
        if (objection.isPresent()) {
            return objection.get();
        }
        if (!offers.begin()) {
            return busy();
        }
        try (var mine = offers.here()) {
            return turns.inTurn(offer.key(), () -> decide(Agreement.offered(id, offer, clock.instant())));
        }
    }

    /** Offers under negotiation. */
    public OfferHolds holds() {
        return holds;
    }

    /**
     * Makes an agreement of a held offer, or of one whose hold has ended, in the place of an older agreement if one is named: from one
     * transaction on the new one is observed and the old one is being ended; if the new one cannot be made, the old one is as it was.
     *
     * @param hold its name
     * @param replaced an observed agreement
     */
    public CreationOutcome create(AgreementOffer offer, String hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        transactions.admit();
        return noted(offer, turns.once(offer.key(), () -> decideOnce(offer, hold, replaced)));
    }

    private CreationOutcome decideOnce(AgreementOffer offer, String hold, Optional<AgreementId> replaced)
            throws InterruptedException {
        var old = replaced.flatMap(repository::find);
        if (replaced.isPresent()
                && old.filter(a -> a.state() == AgreementState.OBSERVED).isEmpty()) {
            return new Refused(RefusalCode.WITHDRAWN, "The agreement " + replaced.get() + " is not observed any more.");
        }
        var objection = objection(offer);
        if (objection.isPresent()) {
            return objection.get();
        }
        if (!offers.begin()) {
            return busy();
        }
        try (var mine = offers.here()) {
            var offered = Agreement.offered(AgreementId.random(), offer, clock.instant());
            return turns.inTurn(offer.key(), () -> {
                var held = holds.find(hold);
                if (held.isPresent()) {
                    return swap(offered, held.get(), old, Optional.of(hold));
                }
                return making.make(offer.alternatives())
                        .fold(
                                allocated -> swap(offered, allocated, old, Optional.empty()),
                                declined -> declined.refusal());
            });
        }
    }

    private CreationOutcome swap(
            Agreement offered, Made.Allocated allocated, Optional<Agreement> old, Optional<String> hold)
            throws InterruptedException {
        if (old.isEmpty()) {
            return keep(offered, allocated, hold);
        }
        var observed = offered.observed(allocated.slot(), allocated.commitments(), allocated.effort(), clock.instant());
        var ending = old.get()
                .become(AgreementState.OBSERVED_AND_TERMINATING, "Replaced by " + observed.id() + ".", clock.instant());
        try {
            var both = transactions.inOne(() -> {
                var left = write(ending, old.get(), () -> journal.strand(ending.keys(), clock.instant()));
                return List.of(left, write(observed, offered, () -> settle(observed, offered, hold)));
            });
            announce(old.get().state(), both.get(0));
            announce(offered.state(), both.get(1));
            finish(both.get(0));
            return new Created(both.get(1), false);
        } catch (StaleAgreementException e) {
            sweeper.abandon(observed.keys());
            sweeper.release(observed.keys());
            return new Refused(
                    RefusalCode.WITHDRAWN, "The agreement " + old.get().id() + " changed meanwhile.");
        } catch (RuntimeException e) {
            return resolve(observed, e);
        }
    }

    /**
     * Stores an offer as pending and decides it in the background; {@link #onChange listeners} hear of the decision.
     */
    public CreationOutcome createPending(AgreementOffer offer) {
        transactions.admit();
        var earlier = repository.findByOffer(offer.key());
        if (earlier.isPresent()) {
            return new Created(earlier.get(), true);
        }
        var objection = objection(offer);
        if (objection.isPresent()) {
            return noted(offer, objection.get());
        }
        if (!offers.begin()) {
            return busy();
        }
        Agreement pending;
        try {
            var offered = Agreement.offered(AgreementId.random(), offer, clock.instant());
            pending = note(offered, offered);
        } catch (StaleAgreementException e) {
            offers.end();
            return new Created(repository.findByOffer(offer.key()).orElseThrow(() -> e), true);
        } catch (RuntimeException e) {
            offers.end();
            throw e;
        }
        decideInBackground(pending);
        return new Created(pending, false);
    }

    /**
     * Ends an agreement: gives its reservations back. What a silent site still holds then is left to the sweeper, and the
     * agreement stays {@code ObservedAndTerminating} until that is done.
     */
    public TerminationOutcome terminate(AgreementId id, String reason) throws InterruptedException {
        while (true) {
            var found = repository.find(id);
            if (found.isEmpty()) {
                return new TerminationOutcome.Unknown(id);
            }
            if (found.get().state().isFinal()) {
                return new TerminationOutcome.AlreadyFinal(found.get());
            }
            try {
                return new TerminationOutcome.Ending(end(found.get(), reason));
            } catch (StaleAgreementException e) {
                LOG.debug("Agreement {} changed while it was being ended; once more", id);
            }
        }
    }

    private Agreement end(Agreement agreement, String reason) throws InterruptedException {
        var ending = agreement;
        if (agreement.state() == AgreementState.PENDING) {
            return store(agreement.become(AgreementState.PENDING_AND_TERMINATING, reason, clock.instant()), agreement);
        }
        if (agreement.state() == AgreementState.OBSERVED) {
            var next = agreement.become(AgreementState.OBSERVED_AND_TERMINATING, reason, clock.instant());
            ending = store(next, agreement, () -> journal.strand(next.keys(), clock.instant()));
        }
        return ending.state() == AgreementState.OBSERVED_AND_TERMINATING ? finish(ending) : ending;
    }

    /** Gives back what an ending agreement still holds; it is terminated when that is all of it. */
    public Agreement finish(Agreement ending) throws InterruptedException {
        if (!sweeper.release(ending.keys()).isEmpty()) {
            return ending;
        }
        try {
            return store(ending.become(AgreementState.TERMINATED, "", clock.instant()), ending);
        } catch (StaleAgreementException e) {
            return repository.find(ending.id()).orElse(ending);
        }
    }

    /**
     * For the start of a server, before any offer, and with a store that several share, from time to time: strands what processes that are
     * gone were making, and decides their pending offers again.
     */
    public void recover() {
        int cutOff = sweeper.strandUnfinished();
        turns.settle();
        for (var id = postponed.peek(); id != null; id = postponed.peek()) {
            repository.find(id).ifPresent(this::decideAgain);
            postponed.remove();
        }
        var left = draining ? List.<Agreement>of() : repository.takeOver(UNDECIDED, offers.free());
        left.forEach(this::decideAgain);
        if (cutOff + left.size() > 0) {
            LOG.info("Recovery: {} reservations to give back, {} pending offers to decide", cutOff, left.size());
        }
    }

    private void decideAgain(Agreement agreement) {
        if (agreement.state() == AgreementState.PENDING) {
            offers.beginInAnyCase();
            decideInBackground(agreement);
        } else if (agreement.state().isUndecided()) {
            storeNewest(agreement.id(), AgreementState.REJECTED, "");
        }
    }

    /**
     * Takes no new offers and waits for those under way; what is not decided in time is cut off and rolled back.
     *
     * @param patience before anything is cut off, and again for rolling back
     * @return whether nothing is under way any more
     */
    public boolean drain(Duration patience) throws InterruptedException {
        draining = true;
        return offers.awaitNone(patience) || offers.cutOff(patience);
    }

    /** Offers being negotiated now. */
    public int underWay() {
        return offers.count();
    }

    private Optional<Refused> objection(AgreementOffer offer) {
        return draining
                ? Optional.of(new Refused(RefusalCode.BUSY, "The service is shutting down."))
                : check.objection(offer);
    }

    private void decideInBackground(Agreement pending) {
        background.execute(() -> {
            try (var mine = offers.here()) {
                if (!draining) {
                    decide(pending);
                }
            } catch (InterruptedException e) {
                LOG.info("Agreement {} stays pending: the service stops", pending.id());
            } catch (StoreUnavailableException e) {
                LOG.warn("Agreement {} stays pending until the database answers: {}", pending.id(), e.getMessage());
                postponed.add(pending.id());
            } catch (RuntimeException e) {
                LOG.error("Agreement {} stays pending until the next start", pending.id(), e);
            }
        });
    }

    /** Negotiates, and makes the end durable: the agreement and its reservations' journal entries in one transaction. */
    private CreationOutcome decide(Agreement offered) throws InterruptedException {
        return making.make(offered.offer().alternatives())
                .fold(
                        allocated -> keep(offered, allocated, Optional.empty()),
                        declined -> decline(offered, declined.refusal()));
    }

    private CreationOutcome keep(Agreement offered, Made.Allocated allocated, Optional<String> hold)
            throws InterruptedException {
        var observed = offered.observed(allocated.slot(), allocated.commitments(), allocated.effort(), clock.instant());
        try {
            return new Created(store(observed, offered, () -> settle(observed, offered, hold)), false);
        } catch (RuntimeException e) {
            return resolve(observed, e);
        }
    }

    /** A pending offer is decided in the turn of its agreement. The journal keeps what is held already. */
    private void settle(Agreement observed, Agreement offered, Optional<String> hold) {
        hold.ifPresentOrElse(holds::take, () -> journal.keep(observed.reservations()));
        if (offered.version() == 0) {
            repository.settle(offered.offer().key());
        }
    }

    /** The save failed, or only its acknowledgement was lost, or the initiator ended a pending offer meanwhile. */
    private CreationOutcome resolve(Agreement observed, RuntimeException problem) throws InterruptedException {
        Optional<Agreement> stored;
        try {
            stored = repository.findByOffer(observed.offer().key());
        } catch (RuntimeException e) {
            sweeper.abandon(observed.keys());
            problem.addSuppressed(e);
            throw problem;
        }
        if (stored.isPresent() && stored.get().keys().equals(observed.keys())) {
            return new Created(stored.get(), false);
        }
        sweeper.abandon(observed.keys());
        var left = sweeper.release(observed.keys());
        if (problem instanceof IllegalStateException) {
            LOG.info("Agreement {} was not made here: {}", observed.id(), problem.getMessage());
            var others = stored.filter(other -> !other.state().isUndecided());
            return others.isPresent()
                    ? new Created(others.get(), true)
                    : new Refused(RefusalCode.BUSY, "This server lost its turn while it decided; offer it again.");
        }
        if (stored.isEmpty() || !(problem instanceof StaleAgreementException)) {
            throw problem;
        }
        var current = stored.get();
        if (current.state() != AgreementState.PENDING_AND_TERMINATING) {
            return new Created(current, true);
        }
        LOG.info("Agreement {} was withdrawn; {} reservations left to the sweeper", current.id(), left.size());
        return new Created(storeNewest(current.id(), AgreementState.TERMINATED, ""), false);
    }

    private CreationOutcome decline(Agreement offered, Refused refusal) {
        if (offered.version() > 0 && repository.isOurs(offered.id())) {
            storeNewest(offered.id(), AgreementState.REJECTED, refusal.reason());
            return noted(offered.offer(), refusal);
        }
        return refusal;
    }

    /** Changes the state of whatever version is the newest. */
    private Agreement storeNewest(AgreementId id, AgreementState next, String reason) {
        while (true) {
            var current = repository.find(id).orElseThrow();
            try {
                return store(current.become(next, reason, clock.instant()), current);
            } catch (StaleAgreementException e) {
                LOG.debug("Agreement {} changed meanwhile; once more", id);
            }
        }
    }

    private static Refused busy() {
        return new Refused(
                RefusalCode.BUSY, MOST_UNDER_WAY + " offers are being negotiated already; offer it again later.");
    }

    /** Saves a change of state, and tells the listeners. */
    Agreement store(Agreement next, Agreement before) {
        return store(next, before, () -> {});
    }

    /** Saves a change of state, together with a change of the journal and what the listeners write; tells the listeners. */
    public Agreement store(Agreement next, Agreement before, Runnable journalChange) {
        var saved = transactions.inOne(() -> write(next, before, journalChange));
        announce(before.state(), saved);
        return saved;
    }

    private Agreement write(Agreement next, Agreement before, Runnable journalChange) {
        journalChange.run();
        listeners.forEach(l -> l.changing(before.state(), next));
        return note(next, before);
    }

    /** Saves with what happened; tells no listener. */
    public Agreement note(Agreement next, Agreement before) {
        return transactions.inOne(() -> {
            var saved = repository.save(next);
            repository.record(saved.id(), AgreementEvent.between(before, saved));
            return saved;
        });
    }

    private void announce(AgreementState before, Agreement after) {
        LOG.info(
                "Agreement {}: {} to {}",
                after.id(),
                before.term(),
                after.state().term());
        listeners.forEach(l -> l.changed(before, after));
    }
}
