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
import java.util.stream.Collectors;
import org.metasched.adapter.SubjectName;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StoreTransactions;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.RetryPolicy;
import org.metasched.subscription.NoticeOccasion;
import org.metasched.subscription.NoticeSubscription;
import org.metasched.subscription.SubscriptionStore;

/**
 * Listener that tells subscribers of changes of agreements. The transaction that saves a change also writes the messages, so that each
 * subscriber is told at least once; a repeated message has the same id. Register it before the first offer. Thread-safe.
 */
public final class AgreementNotices implements AgreementListener, AutoCloseable {

    /** The most agreements of one look, for leads of one day; those that begin last go first. */
    private static final int MOST_SOON = 10_000;

    // NoticeCall ends a call after its TIMEOUT; the dispatcher, which interrupts it, comes later.
    private static final RetryPolicy USUAL_RETRIES = new RetryPolicy(
            32, 2, NoticeCall.TIMEOUT.multipliedBy(2), 20, Duration.ofSeconds(2), 2, Duration.ofHours(1), false);

    private final SubscriptionStore store;
    private final Outbox outbox;
    private final NoticeCall call;
    private final OutboxDispatcher dispatcher;
    private final Clock clock;

    public AgreementNotices(SubscriptionStore store, Outbox outbox, NoticeCall call, Clock clock) {
        this.store = store;
        this.outbox = outbox;
        this.call = call;
        this.dispatcher = new OutboxDispatcher(outbox, Kind.NOTICE, USUAL_RETRIES, this::make);
        this.clock = clock;
    }

    /** Makes a call. A web hook that declines is gone, and its subscription ends, as Standard Webhooks asks. */
    private OutboxDispatcher.Answer make(Message message) throws InterruptedException {
        var answer = call.make(message);
        if (answer.end() == OutboxDispatcher.End.DECLINED && !message.receiver().startsWith(MailSender.SCHEME)) {
            String id = message.key().id();
            store.find(id.substring(id.lastIndexOf('.') + 1)).ifPresent(gone -> store.remove(gone.id(), gone.owner()));
        }
        return answer;
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        // The messages that recorded() stores go out after its transaction.
    }

    @Override
    public void recorded(Agreement before, Agreement after) {
        var occasions = NoticeOccasion.between(before, after);
        if (occasions.isEmpty()) {
            return;
        }
        var messages = new ArrayList<Message>();
        for (var subscription : store.concerning(people(after), after.id().value())) {
            var wanted = EnumSet.copyOf(occasions);
            if (occasions.contains(NoticeOccasion.MADE) && isSoon(after, clock.instant(), subscription)) {
                wanted.add(NoticeOccasion.SOON);
            }
            wanted.retainAll(subscription.occasions());
            wanted.forEach(occasion -> messages.add(message(subscription, occasion, NoticeText.of(after))));
        }
        enqueue(messages);
    }

    @Override
    public void refused(RefusedOffer offer) {
        var people = Set.of(offer.key().initiator());
        enqueue(store.concerning(people, "").stream()
                .filter(s -> s.occasions().contains(NoticeOccasion.REFUSED))
                .map(s -> message(s, NoticeOccasion.REFUSED, NoticeText.of(offer)))
                .toList());
    }

    /** Tells of agreements whose slot has come within a lead since the last look. Agreements made since then were told when they were made. */
    public void lookAhead(AgreementRepository agreements, StoreTransactions transactions) {
        transactions.inTransaction(() -> {
            var now = clock.instant();
            var byDays = store.toldSoon().stream()
                    .collect(Collectors.groupingBy(s -> s.lead().toDays()));
            store.exchangeLastLook(now)
                    .filter(now::isAfter)
                    .ifPresent(last -> byDays.values().forEach(soon -> tellSoon(soon, last, now, agreements)));
        });
    }

    /** Tells these subscribers of the agreements whose slot has come within their lead between two looks. */
    private void tellSoon(List<NoticeSubscription> soon, Instant last, Instant now, AgreementRepository agreements) {
        var leads = soon.stream().map(NoticeSubscription::lead).sorted().toList();
        // A slot is without its end: a second more finds the agreements that begin just then.
        Instant end = now.plus(leads.get(leads.size() - 1)).plusSeconds(1);
        for (var agreement : agreements.holding(new TimeSlot(last.plus(leads.get(0)), end), MOST_SOON)) {
            var people = people(agreement);
            enqueue(soon.stream()
                    .filter(s -> s.about().map(agreement.id().value()::equals).orElse(people.contains(s.owner())))
                    .filter(s -> isSoon(agreement, now, s)
                            && !isSoon(agreement, last, s)
                            && !isSoon(agreement, agreement.created(), s))
                    .map(s -> message(s, NoticeOccasion.SOON, NoticeText.of(agreement)))
                    .toList());
        }
    }

    /** Stores messages, whose receivers are called after the caller's transaction. */
    private void enqueue(List<Message> messages) {
        outbox.store(messages);
        outbox.afterCommit(
                () -> dispatcher.deliver(messages.stream().map(Message::key).toList()));
    }

    private static boolean isSoon(Agreement agreement, Instant now, NoticeSubscription subscription) {
        return agreement
                .slot()
                .filter(slot -> !slot.start().isAfter(now.plus(subscription.lead())))
                .isPresent();
    }

    /** The owner and the further users of an agreement, by their canonical names. */
    static Set<String> people(Agreement agreement) {
        var people = new HashSet<>(Set.of(agreement.offer().key().initiator()));
        agreement
                .offer()
                .requester()
                .ifPresent(
                        who -> who.users().stream().map(SubjectName::canonical).forEach(people::add));
        people.remove("");
        return people;
    }

    private static Message message(NoticeSubscription subscription, NoticeOccasion occasion, NoticeText text) {
        String change = occasion == NoticeOccasion.SOON ? text.soon() : text.id();
        String id = change + "." + occasion.word() + "." + subscription.id();
        return new Message(
                new MessageKey(Kind.NOTICE, id, lane(subscription)),
                subscription.receiver(),
                subscription.isMail() ? text.mail(occasion) : subscription.secret() + "\n" + text.event(occasion, id),
                0);
    }

    private static String lane(NoticeSubscription subscription) {
        String host = subscription.isMail()
                ? subscription.receiver()
                : String.valueOf(URI.create(subscription.receiver()).getHost()).toLowerCase(Locale.ROOT);
        return host.length() > MessageKey.LONGEST_LANE ? host.substring(0, MessageKey.LONGEST_LANE) : host;
    }

    /** The number of notices since the start that came to this end. */
    public long count(OutboxDispatcher.End end) {
        return dispatcher.count(end);
    }

    /** Begins the calls for stored messages that are not under way. */
    public void collect() {
        dispatcher.collect();
    }

    /**
     * Checks that a receiver can be told.
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
