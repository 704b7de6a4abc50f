package org.metasched.outbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.sites.FanOutExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Calls the receivers of one kind of message until each has answered or is given up. An attempt is counted in the outbox before the call,
 * and the message is completed there after the answer. So across {@code kill -9} each receiver is called at least once, perhaps twice.
 *
 * <p>Each receiver has a queue with a bound on its calls, and queues take turns: a receiver that is slow or silent delays its own messages
 * only. Keys of at most {@value #MOST_KNOWN} messages are in memory, the others wait in the outbox. Thread-safe; holds no lock in a call.
 */
public final class OutboxDispatcher implements AutoCloseable {

    /** End of a message. */
    public enum End {
        /** The receiver has taken the message. */
        TOLD,
        /** The receiver has declined the message. */
        DECLINED,
        /** The address must not be called, or the message cannot be written. */
        NOT_CALLED,
        /** The receiver did not answer any call. */
        IN_VAIN,
        /** Too many messages waited already. */
        DROPPED
    }

    /**
     * Result of one call.
     *
     * @param end end of the message; null if the receiver did not answer, and may be called again
     * @param why reason for people; may be empty
     */
    public record Answer(@Nullable End end, String why) {
        public static final Answer TOLD = new Answer(End.TOLD, "");

        /** The receiver did not answer: it is called again. */
        public static Answer silent(String why) {
            return new Answer(null, why);
        }
    }

    /** Makes one call and waits for its answer. */
    @FunctionalInterface
    public interface Call {

        /**
         * Makes the call.
         *
         * @throws InterruptedException when the call took longer than the policy allows; the receiver is called again
         */
        Answer make(Message message) throws InterruptedException;
    }

    /** The messages to one receiver. Only the thread of {@link #queueing} uses it. */
    private static final class DestinationQueue {
        final Deque<MessageKey> waiting = new ArrayDeque<>();
        int underWay;
        /** Number of messages whose first call was not answered. */
        int firstFailures;
        /** Whether it is among the queues that may start a call. */
        boolean ready;
        /** Whether a message to the receiver was given up, and the receiver has not answered since. */
        boolean silent;
    }

    /** Most keys in memory. */
    public static final int MOST_KNOWN = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(OutboxDispatcher.class);
    /** Most receivers that are remembered as silent. */
    private static final int MOST_SILENT = 10_000;
    /** Pause before an attempt that the store prevented is repeated. */
    private static final Duration STORE_PAUSE = Duration.ofSeconds(5);

    private final Outbox outbox;
    private final Kind kind;
    private final RetryPolicy policy;
    private final Call call;
    /** The one thread that uses the queues, the known keys and their counts. */
    private final ScheduledThreadPoolExecutor queueing;

    private final ThreadPoolExecutor callers;
    private final Map<String, DestinationQueue> queues = new HashMap<>();
    private final Deque<DestinationQueue> ready = new ArrayDeque<>();
    private final Set<MessageKey> known = new HashSet<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<End, Long> ends = new ConcurrentHashMap<>();
    private int underWay;

    /**
     * @param outbox store of the messages
     * @param kind kind of messages that this dispatcher delivers
     * @param policy numbers of attempts and of calls at once, and times
     * @param call makes one call; runs on threads of the dispatcher
     */
    public OutboxDispatcher(Outbox outbox, Kind kind, RetryPolicy policy, Call call) {
        this.outbox = outbox;
        this.kind = kind;
        this.policy = policy;
        this.call = call;
        String name = kind.name().toLowerCase(Locale.ROOT);
        queueing = new ScheduledThreadPoolExecutor(1, FanOutExecutor.daemons(name + "-queues"));
        queueing.setRemoveOnCancelPolicy(true);
        callers = new ThreadPoolExecutor(
                policy.atOnce(),
                policy.atOnce(),
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                FanOutExecutor.daemons(name + "-call"));
        callers.allowCoreThreadTimeOut(true);
    }

    /** Number of messages that came to this end since the start. */
    public long count(End end) {
        return ends.getOrDefault(end, 0L);
    }

    /** Number of messages in memory that are owed. */
    public int waiting() {
        return waiting.get();
    }

    /** Collects messages from the outbox that are not in memory: at the start, and after the store failed. O(owed messages). */
    public void collect() {
        try {
            var keys = outbox.pending(kind, MOST_KNOWN);
            onQueueingThread(
                    () -> keys.stream().filter(key -> !known.contains(key)).forEach(key -> {
                        waiting.incrementAndGet();
                        admit(key);
                    }));
        } catch (StoreUnavailableException e) {
            LOG.info("Call-backs ({}) have to wait: {}", kind, e.getMessage());
        }
    }

    /** Calls the receivers of messages that are in the outbox. Returns at once; a message that is in memory already is ignored. */
    public void deliver(Collection<MessageKey> keys) {
        waiting.addAndGet(keys.size());
        onQueueingThread(() -> keys.forEach(this::admit));
    }

    private void admit(MessageKey key) {
        if (known.size() < MOST_KNOWN && known.add(key)) {
            enqueue(key);
        } else {
            waiting.decrementAndGet();
        }
    }

    private void enqueue(MessageKey key) {
        DestinationQueue queue = queues.computeIfAbsent(key.lane(), name -> new DestinationQueue());
        queue.waiting.addLast(key);
        makeReady(queue);
        startSome();
    }

    private void makeReady(DestinationQueue queue) {
        if (!queue.ready && !queue.waiting.isEmpty() && queue.underWay < policy.perLane()) {
            queue.ready = true;
            ready.addLast(queue);
        }
    }

    /** Starts calls, one of each queue in turn. */
    private void startSome() {
        while (underWay < policy.atOnce() && !ready.isEmpty()) {
            DestinationQueue queue = ready.removeFirst();
            queue.ready = false;
            MessageKey key = queue.waiting.removeFirst();
            queue.underWay++;
            underWay++;
            makeReady(queue);
            boolean isOnlyAttempt = queue.silent && policy.onceWhileSilent();
            callers.execute(() -> attempt(key, isOnlyAttempt));
        }
    }

    private void attempt(MessageKey key, boolean isOnlyAttempt) {
        Consumer<DestinationQueue> next;
        try {
            var message = outbox.begin(key);
            next = message.isPresent() ? callAndComplete(message.get(), isOnlyAttempt) : queue -> forget(key);
        } catch (RuntimeException e) {
            LOG.warn("{} is tried again: {}", key, e.getMessage());
            next = queue -> enqueueLater(key, STORE_PAUSE);
        }
        var after = next;
        onQueueingThread(() -> leave(key, after));
    }

    /** Calls the receiver, and completes a message that comes to its end; returns the change of its queue. Calls cut off by a crash are attempts. */
    private Consumer<DestinationQueue> callAndComplete(Message message, boolean isOnlyAttempt) {
        var key = message.key();
        boolean mayCall = message.attempts() < policy.mostAttempts();
        var answer = mayCall ? call(message) : Answer.silent("no call of it has come to an end");
        End end = answer.end();
        if (queueing.isShutdown() && end == null) {
            return queue -> {};
        }
        int attempts = message.attempts() + (mayCall ? 1 : 0);
        if (end == null && !isOnlyAttempt && attempts < policy.mostAttempts()) {
            var pause = policy.pauseAfter(attempts);
            return queue -> callLater(queue, key, attempts, pause, answer.why());
        }
        outbox.complete(key);
        return end == null
                ? queue -> giveUp(queue, key, "called " + attempts + " times; " + answer.why())
                : queue -> onAnswer(queue, key, end, answer.why());
    }

    private Answer call(Message message) {
        var timeout = new CallTimeout();
        var alarm = queueing.schedule(timeout::expire, policy.longestCall().toMillis(), TimeUnit.MILLISECONDS);
        try {
            return call.make(message);
        } catch (InterruptedException e) {
            return Answer.silent("no answer within " + policy.longestCall());
        } catch (RuntimeException e) {
            LOG.debug("{}: the call failed", message.key(), e);
            return Answer.silent(String.valueOf(e.getMessage()));
        } finally {
            timeout.clear();
            alarm.cancel(false);
        }
    }

    private void leave(MessageKey key, Consumer<DestinationQueue> after) {
        DestinationQueue queue = queues.computeIfAbsent(key.lane(), name -> new DestinationQueue());
        queue.underWay--;
        underWay--;
        after.accept(queue);
        makeReady(queue);
        boolean idle = queue.waiting.isEmpty() && queue.underWay == 0;
        if (idle && (!queue.silent || queues.size() > MOST_SILENT)) {
            queues.remove(key.lane());
        }
        startSome();
    }

    /** Calls a receiver again that did not answer, and says so of the first call. Only the 1st, 2nd, 4th, 8th ... is a warning. */
    private void callLater(DestinationQueue queue, MessageKey key, int attempts, Duration pause, String why) {
        boolean isNews = attempts == 1 && Integer.bitCount(++queue.firstFailures) == 1;
        Level level = isNews ? Level.WARN : attempts == 1 ? Level.INFO : Level.DEBUG;
        LOG.atLevel(level).log("{} is not told yet, and is tried again after {}: {}", key, pause, why);
        enqueueLater(key, pause);
    }

    private void enqueueLater(MessageKey key, Duration pause) {
        var unused = queueing.schedule(() -> enqueue(key), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void giveUp(DestinationQueue queue, MessageKey key, String why) {
        queue.silent = true;
        ended(key, End.IN_VAIN, why);
        forget(key);
    }

    private void onAnswer(DestinationQueue queue, MessageKey key, End end, String why) {
        // Any answer ends the silence; a call that was not made leaves it as it was.
        queue.silent &= end == End.NOT_CALLED;
        ended(key, end, why);
        forget(key);
    }

    private void forget(MessageKey key) {
        known.remove(key);
        waiting.decrementAndGet();
    }

    /** Counts a message that came to its end. Only the 1st, 2nd, 4th, 8th ... failure is a warning, so that silent receivers do not fill the log. */
    public void ended(MessageKey key, End end, String why) {
        long now = ends.merge(end, 1L, Long::sum);
        if (end == End.TOLD) {
            LOG.debug("{}: told", key);
        } else if (Long.bitCount(now) == 1) {
            LOG.warn("{}: not told ({}), {} of them by now: {}", key, end, now, why);
        } else {
            LOG.info("{}: not told ({}): {}", key, end, why);
        }
    }

    private void onQueueingThread(Runnable task) {
        try {
            queueing.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("A call-back ({}) is left to the next start: this server stops", kind);
        }
    }

    /** Interrupts calls under way and leaves what is owed in the outbox. */
    @Override
    public void close() {
        queueing.shutdownNow();
        callers.shutdownNow();
    }
}
