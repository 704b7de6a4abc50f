package org.metasched.notice;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StoreTransactions;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Label;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.RetryPolicy;
import org.metasched.subscription.NoticeOccasion;
import org.metasched.subscription.NoticeSubscription;
import org.metasched.subscription.SubscriptionStore;

/**
 * Tells subscribers what happens to agreements. The transaction that saves a change also writes who is to be told, so that each is told at
 * least once; the id of a message is the same each time. Register it as a listener before the first offer. Thread-safe.
 */
public final class AgreementNotices implements AgreementListener, AutoCloseable {

    /** Agreements that begin within one lead. */
    private static final int MOST_SOON = 10_000;

    private static final RetryPolicy USUAL = new RetryPolicy(
            32, 2, NoticeCall.PATIENCE.multipliedBy(2), 20, Duration.ofSeconds(2), 2, Duration.ofHours(1), false);

    private final SubscriptionStore store;
    private final Outbox outbox;
    private final NoticeCall call;
    private final OutboxDispatcher dispatcher;
    private final Clock clock;
    /** Looks into the outbox that are due. */
    private final AtomicInteger looks = new AtomicInteger();

    public AgreementNotices(SubscriptionStore store, Outbox outbox, NoticeCall call, Clock clock) {
        this.store = store;
        this.outbox = outbox;
        this.call = call;
        this.dispatcher = new OutboxDispatcher(outbox, Kind.NOTICE, USUAL, call::make);
        this.clock = clock;
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        // what is owed is collected by the clock
    }

    @Override
    public void recorded(Agreement before, Agreement after) {
        var occasions = NoticeOccasion.between(before, after);
        if (occasions.isEmpty()) {
            return;
        }
        var owed = new ArrayList<Message>();
        for (var one : store.concerning(people(after), after.id().value())) {
            var wanted = EnumSet.copyOf(occasions);
            if (occasions.contains(NoticeOccasion.MADE) && isSoon(after, clock.instant(), one)) {
                wanted.add(NoticeOccasion.SOON);
            }
            wanted.retainAll(one.occasions());
            wanted.forEach(occasion -> owed.add(message(one, occasion, NoticeText.of(after))));
        }
        owe(owed);
    }

    @Override
    public void refused(RefusedOffer offer) {
        var people = Set.of(offer.key().initiator());
        owe(store.concerning(people, "").stream()
                .filter(one -> one.occasions().contains(NoticeOccasion.REFUSED))
                .map(one -> message(one, NoticeOccasion.REFUSED, NoticeText.of(offer)))
                .toList());
    }

    /** Tells of agreements whose slot has come within a lead since the last look. Those made since then were told when they were made. */
    public void lookAhead(AgreementRepository agreements, StoreTransactions transactions) {
        transactions.inOne(() -> {
            var now = clock.instant();
            var last = store.exchangeLastLook(now).filter(now::isAfter);
            var early = store.toldSoon();
            var longest = early.stream().map(NoticeSubscription::lead).max(Duration::compareTo);
            if (last.isEmpty() || longest.isEmpty()) {
                return;
            }
            for (var agreement : agreements.holding(new TimeSlot(last.get(), now.plus(longest.get())), MOST_SOON)) {
                var people = people(agreement);
                owe(early.stream()
                        .filter(one ->
                                one.about().map(agreement.id().value()::equals).orElse(people.contains(one.owner())))
                        .filter(one -> isSoon(agreement, now, one)
                                && !isSoon(agreement, last.get(), one)
                                && !isSoon(agreement, agreement.created(), one))
                        .map(one -> message(one, NoticeOccasion.SOON, NoticeText.of(agreement)))
                        .toList());
            }
        });
    }

    /** Stores messages. They are durable only after the transaction of the caller: a second look comes after the first. */
    private void owe(List<Message> messages) {
        outbox.owe(messages);
        if (!messages.isEmpty()) {
            looks.set(2);
        }
    }

    private static boolean isSoon(Agreement agreement, Instant now, NoticeSubscription one) {
        return agreement
                .slot()
                .filter(slot -> !slot.start().isAfter(now.plus(one.lead())))
                .isPresent();
    }

    /** The owner and the further users of an agreement. */
    static Set<String> people(Agreement agreement) {
        var people = new HashSet<>(Set.of(agreement.offer().key().initiator()));
        agreement.offer().requester().ifPresent(who -> people.addAll(who.users()));
        people.remove("");
        return people;
    }

    private static Message message(NoticeSubscription one, NoticeOccasion occasion, NoticeText text) {
        String change = occasion == NoticeOccasion.SOON ? text.soon() : text.id();
        String id = change + "." + occasion.word() + "." + one.id();
        return new Message(
                new Label(Kind.NOTICE, id, lane(one)),
                one.receiver(),
                one.isMail() ? text.mail(occasion) : one.secret() + "\n" + text.event(occasion, id),
                0);
    }

    private static String lane(NoticeSubscription one) {
        String host = one.isMail()
                ? one.receiver()
                : String.valueOf(URI.create(one.receiver()).getHost()).toLowerCase(Locale.ROOT);
        return host.length() > Label.LONGEST_LANE ? host.substring(0, Label.LONGEST_LANE) : host;
    }

    /** How many notices came to an end since the start, told or not. */
    public long count(OutboxDispatcher.End end) {
        return dispatcher.count(end);
    }

    /** Begins the calls that are owed since the last call of this. Asks no database when there are none. */
    public void collectNew() {
        if (looks.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            collect();
        }
    }

    /** Begins the calls that are owed and not under way. */
    public void collect() {
        dispatcher.collect();
    }

    /**
     * Whether it can be told there.
     *
     * @throws IllegalArgumentException with a sentence when not
     */
    public void check(String receiver) {
        call.check(receiver);
    }

    public SubscriptionStore store() {
        return store;
    }

    @Override
    public void close() {
        dispatcher.close();
        call.close();
    }
}
