package org.metasched.fakes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementRetention;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.DueQueue;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OfferLockTable;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.StatusDigest;
import org.metasched.agreement.StoreTransactions;
import org.metasched.negotiation.InMemoryJournal;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.SiteReservation;
import org.metasched.outbox.Outbox;

/**
 * Repository, journal and outbox in memory, one lock around both. Every write first calls a hook, by which a test makes the
 * "process" die between two writes. Thread-safe.
 */
public final class InMemoryBooks
        implements AgreementRepository,
                DueQueue,
                AgreementHistory,
                AgreementRetention,
                ReservationJournal,
                NegotiationBook,
                Outbox,
                StoreTransactions {

    private static final OfferLockTable ONE_PROCESS = new OfferLockTable() {
        @Override
        public boolean acquire(OfferKey key) {
            return true;
        }

        @Override
        public void release(OfferKey key) {}

        @Override
        public void settle(OfferKey key) {}
    };

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private Map<AgreementId, Agreement> agreements = new LinkedHashMap<>();
    private InMemoryJournal journal = new InMemoryJournal();
    private InMemoryNegotiationBook negotiations = new InMemoryNegotiationBook();
    private Map<AgreementId, Instant> keptUntil = new LinkedHashMap<>();
    private List<NumberedEvent> events = new ArrayList<>();
    private long numbered;
    private Map<MessageKey, Message> owed = new LinkedHashMap<>();
    private final List<RefusedOffer> refused = new CopyOnWriteArrayList<>();
    private final Set<AgreementId> looked = ConcurrentHashMap.newKeySet();
    private Runnable beforeWrite = () -> {};

    public AgreementBooks books() {
        return new AgreementBooks(this, ONE_PROCESS, this, this, this, this, this, this);
    }

    /** Called before each durable change, which does not happen if it throws. */
    public void beforeWrite(Runnable hook) {
        beforeWrite = hook;
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        lock.lock();
        var agreementsBefore = new LinkedHashMap<>(agreements);
        var journalBefore = journal.copy();
        var negotiationsBefore = negotiations.copy();
        var owedBefore = new LinkedHashMap<>(owed);
        var eventsBefore = new ArrayList<>(events);
        var keptBefore = new LinkedHashMap<>(keptUntil);
        boolean done = false;
        try {
            T result = work.get();
            if (lock.getHoldCount() == 1) {
                beforeWrite.run();
            }
            done = true;
            return result;
        } finally {
            var actions = lock.getHoldCount() == 1 ? List.copyOf(afterCommit) : List.<Runnable>of();
            afterCommit.removeAll(actions);
            if (!done) {
                agreements = agreementsBefore;
                journal = journalBefore;
                negotiations = negotiationsBefore;
                owed = owedBefore;
                keptUntil = keptBefore;
                events = eventsBefore;
            }
            lock.unlock();
            if (done) {
                for (var action : actions) {
                    try {
                        action.run();
                    } catch (RuntimeException e) {
                        System.err.println("An action after a commit failed: " + e);
                    }
                }
            }
        }
    }

    @Override
    public Agreement save(Agreement agreement) {
        return inTransaction(() -> {
            var stored = agreements.get(agreement.id());
            long version = stored == null ? 0 : stored.version();
            var sameOffer = findByOffer(agreement.offer().key());
            if (version != agreement.version()
                    || sameOffer.filter(o -> !o.id().equals(agreement.id())).isPresent()) {
                throw new StaleAgreementException(agreement.id(), agreement.version());
            }
            var saved = agreement.saved(version + 1);
            agreements.put(agreement.id(), saved);
            return saved;
        });
    }

    @Override
    public Optional<Agreement> find(AgreementId id) {
        return reading(() -> Optional.ofNullable(agreements.get(id)));
    }

    @Override
    public Optional<Agreement> findByOffer(OfferKey key) {
        return reading(() -> agreements.values().stream()
                .filter(a -> a.offer().key().equals(key))
                .findFirst());
    }

    private List<Agreement> inState(Set<AgreementState> states, int limit) {
        return reading(() -> agreements.values().stream()
                .filter(a -> states.contains(a.state()))
                .sorted(Comparator.comparing(Agreement::created))
                .limit(limit)
                .toList());
    }

    @Override
    public List<Agreement> holding(TimeSlot within, int limit) {
        var living = inState(
                EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING), Integer.MAX_VALUE);
        return living.stream()
                .filter(a -> a.held().filter(within::overlaps).isPresent())
                .sorted(Comparator.comparing(
                                (Agreement a) -> a.held().orElseThrow().start())
                        .reversed())
                .limit(limit)
                .toList();
    }

    /** All of them, once in each pass: what tests change is seen at the next. */
    @Override
    public Due take(Instant now, Instant again, int limit) {
        var due = inState(EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING), limit).stream()
                .filter(one -> looked.add(one.id()))
                .toList();
        if (due.isEmpty()) {
            looked.clear();
        }
        var calm = new ArrayList<StatusDigest>();
        var whole = new ArrayList<Agreement>();
        for (var agreement : due) {
            StatusDigest.of(agreement)
                    .filter(watched -> watched.until().isAfter(now))
                    .ifPresentOrElse(calm::add, () -> whole.add(agreement));
        }
        return new Due(calm, whole);
    }

    @Override
    public List<Agreement> living(Collection<AgreementId> ids) {
        return ids.stream().flatMap(id -> find(id).stream()).toList();
    }

    @Override
    public void schedule(Map<AgreementId, Instant> due, Instant again) {}

    @Override
    public List<Held> held(Set<AgreementState> states) {
        var byInitiator = inState(states, Integer.MAX_VALUE).stream()
                .collect(Collectors.groupingBy(a -> a.offer().key().initiator()));
        return byInitiator.entrySet().stream()
                .map(e -> new Held(
                        e.getKey(),
                        e.getValue().size(),
                        e.getValue().stream().mapToDouble(Agreement::nodeHours).sum()))
                .toList();
    }

    @Override
    public List<Agreement> takeOver(Set<AgreementState> states, int limit) {
        return inState(states, limit);
    }

    @Override
    public void record(AgreementId id, List<AgreementEvent> some) {
        inTransaction(() -> {
            some.forEach(event -> events.add(new NumberedEvent(++numbered, id, event)));
        });
    }

    @Override
    public List<AgreementEvent> history(AgreementId id) {
        return of(id, 0, Integer.MAX_VALUE).stream().map(NumberedEvent::event).toList();
    }

    @Override
    public List<NumberedEvent> of(AgreementId id, long after, int limit) {
        return after(after, Integer.MAX_VALUE).stream()
                .filter(one -> one.agreement().equals(id))
                .limit(limit)
                .toList();
    }

    @Override
    public List<NumberedEvent> after(long number, int limit) {
        return reading(() -> events.stream()
                .filter(one -> one.number() > number && agreements.containsKey(one.agreement()))
                .limit(limit)
                .toList());
    }

    @Override
    public long newest() {
        return reading(
                () -> events.stream().mapToLong(NumberedEvent::number).max().orElse(0));
    }

    @Override
    public List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit) {
        var order = Comparator.comparing(Agreement::created)
                .reversed()
                .thenComparing(agreement -> agreement.id().value());
        return reading(() -> {
            var last = after.map(id -> Optional.ofNullable(agreements.get(id))
                    .orElseThrow(() -> new IllegalArgumentException("The agreement (" + id + ") is not there.")));
            return agreements.values().stream()
                    .filter(agreement -> states.contains(agreement.state()))
                    .filter(agreement -> last.isEmpty() || order.compare(agreement, last.get()) > 0)
                    .sorted(order)
                    .limit(limit)
                    .toList();
        });
    }

    @Override
    public void refuse(RefusedOffer one) {
        refused.add(new RefusedOffer(
                refused.size() + 1L, one.at(), one.key(), one.code(), one.reason(), one.alternatives()));
    }

    @Override
    public List<RefusedOffer> refused(Instant now, Optional<Long> before, int limit) {
        var since = now.minus(Duration.ofDays(7));
        return refused.stream()
                .filter(one -> !one.at().isBefore(since))
                .filter(one -> one.number() < before.orElse(Long.MAX_VALUE))
                .sorted(Comparator.comparing(RefusedOffer::number).reversed())
                .limit(limit)
                .toList();
    }

    @Override
    public void keepUntil(AgreementId id, Instant until) {
        inTransaction(() -> agreements.containsKey(id) ? keptUntil.put(id, until) : null);
    }

    @Override
    public Optional<Instant> keptUntil(AgreementId id) {
        return reading(() -> Optional.ofNullable(keptUntil.get(id)).filter(t -> agreements.containsKey(id)));
    }

    @Override
    public boolean forget(AgreementId id) {
        return inTransaction(() ->
                agreements.values().removeIf(a -> a.id().equals(id) && a.state().isFinal()));
    }

    @Override
    public int forgetFinal(Instant changedBefore, Instant now) {
        return inTransaction(() -> {
            int before = agreements.size();
            agreements
                    .values()
                    .removeIf(a -> a.state().isFinal()
                            && (keptUntil.containsKey(a.id())
                                    ? !keptUntil.get(a.id()).isAfter(now)
                                    : a.changed().isBefore(changedBefore)));
            return before - agreements.size();
        });
    }

    @Override
    public void intend(List<Intent> intents) {
        inTransaction(() -> journal.intend(intents));
    }

    @Override
    public void granted(List<SiteReservation> reservations) {
        inTransaction(() -> journal.granted(reservations));
    }

    @Override
    public void keep(List<SiteReservation> reservations) {
        inTransaction(() -> journal.keep(reservations));
    }

    @Override
    public void orphan(Collection<RequestKey> keys, Instant mayArriveUntil) {
        inTransaction(() -> journal.orphan(keys, mayArriveUntil));
    }

    @Override
    public void released(Collection<RequestKey> keys) {
        inTransaction(() -> journal.released(keys));
    }

    @Override
    public List<Entry> find(Collection<RequestKey> keys) {
        return reading(() -> journal.find(keys));
    }

    @Override
    public List<Entry> orphans(int limit) {
        return reading(() -> journal.orphans(limit));
    }

    @Override
    public void widen(List<SiteReservation> before, Instant at) {
        inTransaction(() -> journal.widen(before, at));
    }

    @Override
    public boolean advance(List<Change> next) {
        return inTransaction(() -> journal.advance(next));
    }

    @Override
    public List<Change> changes(Collection<RequestKey> keys) {
        return reading(() -> journal.changes(keys));
    }

    @Override
    public List<Change> decided(int limit) {
        return reading(() -> journal.decided(limit));
    }

    @Override
    public void forgetChanges(Collection<RequestKey> keys) {
        inTransaction(() -> journal.forgetChanges(keys));
    }

    @Override
    public int orphanUnfinished(Instant mayArriveUntil) {
        return inTransaction(() -> journal.orphanUnfinished(mayArriveUntil));
    }

    @Override
    public void store(List<Message> messages) {
        inTransaction(() -> {
            var known =
                    owed.keySet().stream().map(l -> Map.entry(l.kind(), l.id())).collect(Collectors.toSet());
            for (var message : messages) {
                if (known.add(Map.entry(message.key().kind(), message.key().id()))) {
                    owed.put(message.key(), message);
                }
            }
        });
    }

    @Override
    public void afterCommit(Runnable action) {
        if (lock.isHeldByCurrentThread()) {
            afterCommit.add(action);
        }
    }

    @Override
    public List<MessageKey> pending(Kind kind, int limit) {
        return reading(() -> owed.keySet().stream()
                .filter(l -> l.kind() == kind)
                .limit(limit)
                .toList());
    }

    @Override
    public Optional<Message> begin(MessageKey key) {
        return inTransaction(() -> {
            var message = Optional.ofNullable(owed.get(key));
            message.ifPresent(m -> owed.put(key, new Message(key, m.receiver(), m.body(), m.attempts() + 1)));
            return message;
        });
    }

    @Override
    public void complete(MessageKey key) {
        inTransaction(() -> owed.remove(key));
    }

    @Override
    public boolean open(Negotiation negotiation, int most, int mostOfOwner) {
        return inTransaction(() -> negotiations.open(negotiation, most, mostOfOwner));
    }

    @Override
    public Optional<Negotiation> negotiation(String id) {
        return reading(() -> negotiations.negotiation(id));
    }

    @Override
    public Optional<Negotiation> withOffer(String offer) {
        return reading(() -> negotiations.withOffer(offer));
    }

    @Override
    public boolean add(String negotiation, Offer offer) {
        return inTransaction(() -> negotiations.add(negotiation, offer));
    }

    @Override
    public List<Offer> offers(String negotiation) {
        return reading(() -> negotiations.offers(negotiation));
    }

    @Override
    public void end(String negotiation) {
        inTransaction(() -> negotiations.end(negotiation));
    }

    @Override
    public List<String> ended(Instant now, int limit) {
        return reading(() -> negotiations.ended(now, limit));
    }

    @Override
    public int holds() {
        return reading(() -> negotiations.holds());
    }

    @Override
    public boolean hold(String offer, Hold hold, int most) {
        return inTransaction(() -> negotiations.hold(offer, hold, most));
    }

    @Override
    public Optional<Hold> held(String offer) {
        return reading(() -> negotiations.held(offer));
    }

    @Override
    public boolean take(String offer) {
        return inTransaction(() -> negotiations.take(offer));
    }

    @Override
    public List<String> lapsed(Instant now, int limit) {
        return reading(() -> negotiations.lapsed(now, limit));
    }

    /** Everything in the journal. */
    public List<Entry> entries() {
        return reading(() -> journal.entries());
    }

    private <T> T reading(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }
}
