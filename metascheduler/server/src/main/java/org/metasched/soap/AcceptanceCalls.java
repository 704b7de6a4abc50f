package org.metasched.soap;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.DecisionOutbox;
import org.metasched.agreement.DecisionOutbox.Notice;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the initiators of pending offers what was decided: the courier of the outbox. Each is called at least once, also
 * across a crash between the decision and the call; an initiator that hears it twice must not mind. A silent one is called
 * again after pauses that double up to an hour, {@value #MOST_ATTEMPTS} times in all, which takes about nine hours; it can
 * always look at the agreement's state. Thread-safe.
 */
public final class AcceptanceCalls implements AgreementListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceCalls.class);
    private static final int MOST_ATTEMPTS = 20;
    private static final int AT_ONCE = 8;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    /** An answer may come in drops, each in time. */
    private static final Duration LONGEST_CALL = AcceptanceCall.PATIENCE.multipliedBy(2);
    /** A call that has not ended by then died with its process. */
    private static final Duration AGAIN = LONGEST_CALL.multipliedBy(2);

    private final DecisionOutbox outbox;
    private final Clock clock;
    private final Semaphore idle = new Semaphore(AT_ONCE);
    private final ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE, AcceptanceCalls::daemon);
    private final ScheduledExecutorService guard = Executors.newSingleThreadScheduledExecutor(AcceptanceCalls::daemon);

    public AcceptanceCalls(DecisionOutbox outbox, Clock clock) {
        this.outbox = outbox;
        this.clock = clock;
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        if (before.isUndecided() && after.offer().acceptance().isPresent()) {
            deliver();
        }
    }

    /** For the start of a server: calls everybody whom the one before owed a call. */
    public void recover() {
        outbox.resume(clock.instant());
        deliver();
    }

    /** Begins the calls that are due, as many as are made at once. Returns before they have ended. */
    public void deliver() {
        int free = idle.drainPermits();
        int begun = 0;
        try {
            if (free > 0) {
                var now = clock.instant();
                for (var notice : outbox.take(now, free, now.plus(AGAIN))) {
                    begin(notice);
                    begun++;
                }
            }
        } catch (StoreUnavailableException | RejectedExecutionException e) {
            LOG.info("Calls to initiators have to wait: {}", e.getMessage());
        } finally {
            idle.release(free - begun);
        }
    }

    private void begin(Notice notice) {
        var call = executor.submit(() -> attempt(notice));
        var unused = guard.schedule(() -> call.cancel(true), LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void attempt(Notice notice) {
        try {
            var outcome = new AcceptanceCall(notice).make();
            boolean cutOff = Thread.interrupted();
            LOG.debug("Agreement {}: {}{}", notice.agreement(), outcome, cutOff ? ", cut off" : "");
            switch (outcome) {
                case HEARD -> outbox.settled(notice.agreement());
                case SILENT -> tryLater(notice);
                case NEVER -> giveUp(notice, "its reference cannot be called");
            }
        } catch (StoreUnavailableException e) {
            LOG.warn("Agreement {}: its initiator will be called once more: {}", notice.agreement(), e.getMessage());
        } finally {
            idle.release();
        }
        deliver();
    }

    private void tryLater(Notice notice) {
        int attempts = notice.attempts() + 1;
        if (attempts >= MOST_ATTEMPTS) {
            giveUp(notice, "it was called " + attempts + " times in vain");
            return;
        }
        Instant due = clock.instant().plus(pauseAfter(attempts));
        LOG.info("Agreement {}: its initiator does not answer; it is called again at {}", notice.agreement(), due);
        outbox.putOff(notice.agreement(), due);
    }

    static Duration pauseAfter(int attempts) {
        var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void giveUp(Notice notice, String why) {
        LOG.warn("Agreement {}: its initiator will not hear of the decision: {}", notice.agreement(), why);
        outbox.settled(notice.agreement());
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "acceptance-call");
        thread.setDaemon(true);
        return thread;
    }

    /** Cuts off calls under way; the next server makes them again. */
    @Override
    public void close() {
        guard.shutdownNow();
        executor.shutdownNow();
    }
}
