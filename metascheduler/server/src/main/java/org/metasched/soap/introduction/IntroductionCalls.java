package org.metasched.soap.introduction;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.cycle.Introduction;
import org.metasched.classad.cycle.MatchListener;
import org.metasched.http.OutboundClient;
import org.metasched.http.OutboundPolicy;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.OutboxDispatcher.End;
import org.metasched.outbox.RetryPolicy;
import org.metasched.soap.introduction.MatchNotice.Role;
import org.metasched.trust.ClientCredentials;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listener that tells the parties of a match of each other, at the {@code ContactAddress} of their ads. Each gets the other's ad, and the ticket
 * that the other has for it. A party without that attribute is not told; it can always ask the collector.
 *
 * <p>The cycle hands its matches over in memory and does not wait. A thread of its own writes them to the outbox, many in one
 * transaction; {@link #flush()} waits for that. From the outbox an {@link OutboxDispatcher} calls, with a lane for each host and port. A message is
 * repeated a few times after growing pauses and then dropped, as is every message beyond a bound: a match is an introduction, and if no
 * party claims, the next cycle matches again. What the outbox holds survives the end of the process.
 *
 * <p>Thread-safe. After section 4 of the 1998 paper (matchmaking and claiming protocols).
 */
public final class IntroductionCalls implements MatchListener, AutoCloseable {

    /** The attribute with a party's URL, written as a plain text: no expression is evaluated for it in a cycle. */
    public static final String CONTACT = "ContactAddress";

    private static final Logger LOG = LoggerFactory.getLogger(IntroductionCalls.class);
    private static final int MOST_WAITING = 10_000;
    /** Messages in one transaction. */
    private static final int MOST_WRITTEN = 500;

    /**
     * The time limits of calls.
     *
     * @param answerWithin longest time from the beginning of a call to the end of its answer
     * @param firstPause pause before the second attempt; each further pause is four times as long
     */
    public record Patience(Duration answerWithin, Duration firstPause) {
        public static final Patience DEFAULT = new Patience(Duration.ofSeconds(10), Duration.ofSeconds(1));

        RetryPolicy retries() {
            return new RetryPolicy(64, 2, answerWithin, 4, firstPause, 4, Duration.ofHours(1), true);
        }
    }

    private final Outbox outbox;
    private final Patience patience;
    private final OutboundClient http;
    private final OutboxDispatcher dispatcher;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(IntroductionCalls::daemon);
    /** Messages handed over and not written yet; guarded by itself. */
    private final List<Message> unwritten = new ArrayList<>();

    /**
     * @param policy policy of calls to the addresses that ads name
     * @param caller credentials of the matchmaker at the receiver
     */
    public IntroductionCalls(Outbox outbox, OutboundPolicy policy, ClientCredentials caller, Patience patience) {
        this.outbox = outbox;
        this.patience = patience;
        this.http = new OutboundClient(policy, caller, patience.answerWithin());
        this.dispatcher = new OutboxDispatcher(outbox, Kind.INTRODUCTION, patience.retries(), this::call);
    }

    /** The number of messages since the start that came to this end. */
    public long count(End end) {
        return dispatcher.count(end);
    }

    @Override
    public void introduced(Introduction introduction) {
        tell(introduction, Role.CUSTOMER, introduction.customer(), introduction.offer(), introduction.offerTicket());
        tell(introduction, Role.OFFER, introduction.offer(), introduction.customer(), introduction.customerTicket());
    }

    /** Tells a party of the other one and of the other's ticket, if its own ad has an address. */
    private void tell(Introduction introduction, Role role, ClassAd own, ClassAd other, String ticket) {
        contact(own).ifPresent(address -> {
            AdKey key = AdKey.of(own);
            tell(
                    address,
                    new MatchNotice(
                            introduction.match(),
                            role,
                            key.type(),
                            key.name(),
                            other,
                            Optional.of(ticket).filter(text -> !text.isEmpty()),
                            introduction.preempts()));
        });
    }

    private static Optional<String> contact(ClassAd ad) {
        return ad.lookup(CONTACT)
                .flatMap(expr -> expr.bare() instanceof Literal literal && literal.value() instanceof Value.Text text
                        ? Optional.of(text.text())
                        : Optional.empty());
    }

    private void tell(String address, MatchNotice notice) {
        String id = notice.match() + "/" + notice.role().name().toLowerCase(Locale.ROOT);
        // Counts a message that goes to no address.
        var key = new MessageKey(Kind.INTRODUCTION, id, "nowhere");
        try {
            var uri = http.policy().read(address);
            key = new MessageKey(Kind.INTRODUCTION, id, uri.getHost().toLowerCase(Locale.ROOT) + ":" + uri.getPort());
            handOver(new Message(key, address, IntroductionMessage.write(notice), 0));
        } catch (IllegalArgumentException | IllegalStateException e) {
            dispatcher.ended(key, End.NOT_CALLED, notice + ": " + e.getMessage());
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is not told: the server stops", notice);
        }
    }

    private void handOver(Message message) {
        boolean isFirst;
        synchronized (unwritten) {
            if (unwritten.size() + dispatcher.waiting() >= MOST_WAITING) {
                dispatcher.ended(message.key(), End.DROPPED, "too many wait to be told");
                return;
            }
            isFirst = unwritten.isEmpty();
            unwritten.add(message);
        }
        if (isFirst) {
            writer.execute(this::flush);
        }
    }

    /** Waits until every match that was handed over is durable in the outbox. If the store fails, {@link #collect()} tries again. */
    public synchronized void flush() {
        try {
            for (var batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
                outbox.store(batch);
                deliver(batch);
            }
        } catch (StoreUnavailableException e) {
            LOG.warn("Introductions wait for the store: {}", e.getMessage());
        }
    }

    private List<Message> nextBatch() {
        synchronized (unwritten) {
            return List.copyOf(unwritten.subList(0, Math.min(MOST_WRITTEN, unwritten.size())));
        }
    }

    /** Hands written messages to the dispatcher, in one step for {@link #handOver}, which counts both. */
    private void deliver(List<Message> batch) {
        synchronized (unwritten) {
            unwritten.subList(0, batch.size()).clear();
            dispatcher.deliver(batch.stream().map(Message::key).toList());
        }
    }

    /** Writes the messages that the store has not taken so far, and begins the stored calls that are not under way. */
    public void collect() {
        flush();
        dispatcher.collect();
    }

    private Answer call(Message message) throws InterruptedException {
        try {
            return read(
                    message,
                    http.post(
                            URI.create(message.receiver()),
                            "application/soap+xml; charset=utf-8; action=\"" + IntroductionMessage.ACTION + '"',
                            message.body().getBytes(StandardCharsets.UTF_8),
                            Map.of(),
                            patience.answerWithin()));
        } catch (IllegalArgumentException e) {
            return new Answer(End.NOT_CALLED, String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            return Answer.silent(NoAnswer.reason(e));
        }
    }

    private static Answer read(Message message, OutboundClient.Reply reply) {
        String id = message.key().id();
        var match = UUID.fromString(id.substring(0, id.indexOf('/')));
        return IntroductionMessage.read(reply.body(), match)
                .map(end -> new Answer(end, end == End.DECLINED ? "it declined" : ""))
                .orElseGet(() -> Answer.silent("status " + reply.status() + " and no answer to the message"));
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "introduction-writer");
        thread.setDaemon(true);
        return thread;
    }

    /** Writes what was handed over, and cuts off calls under way; the next server makes them again. */
    @Override
    public void close() {
        dispatcher.close();
        flush();
        writer.shutdown();
        http.close();
    }
}
