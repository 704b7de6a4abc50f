package org.metasched.agreement.making;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Refused;

/**
 * Counts the offers and repairs that are being decided, up to a bound, and records their threads so that a stop can interrupt them.
 * Thread-safe.
 */
public final class OffersUnderWay {

    /** Most offers and repairs that are decided at the same time; further offers are refused as BUSY. */
    private static final int MOST = 1024;

    private final Semaphore free = new Semaphore(MOST);
    private final Set<Thread> threads = new HashSet<>();
    private volatile boolean draining;

    OffersUnderWay() {}

    /**
     * Takes a permit, which {@link #end} or the close of {@link #onThisThread} gives back.
     *
     * @return false if all permits are taken
     */
    boolean tryBegin() {
        return free.tryAcquire();
    }

    /** Takes a permit, and waits while all are taken. */
    void awaitBegin() {
        free.acquireUninterruptibly();
    }

    /** Gives a permit back. */
    void end() {
        free.release();
    }

    static Refused busy() {
        return new Refused(RefusalCode.BUSY, MOST + " offers are being negotiated already; repeat the offer later.");
    }

    /** Registers the current thread, which has a permit. Closing removes the thread and gives the permit back. */
    Registration onThisThread() {
        synchronized (threads) {
            threads.add(Thread.currentThread());
        }
        return new Registration();
    }

    /** Registration of a thread, which closes it itself. */
    final class Registration implements AutoCloseable {
        @Override
        public void close() {
            synchronized (threads) {
                threads.remove(Thread.currentThread());
            }
            end();
        }
    }

    /** Number of permits that are free now. */
    int free() {
        return free.availablePermits();
    }

    /** Number of offers and repairs under way. */
    public int count() {
        return MOST - free.availablePermits();
    }

    boolean isDraining() {
        return draining;
    }

    /** The refusal of new offers while the service stops. */
    Optional<Refused> refusal() {
        return draining
                ? Optional.of(new Refused(RefusalCode.BUSY, "The service is shutting down."))
                : Optional.empty();
    }

    /**
     * Takes no new offers and waits for those under way. Negotiations that do not finish in time are interrupted and rolled back.
     *
     * @param patience longest wait for negotiations to end, and again for the rollback of those that are interrupted
     * @return whether all have ended
     */
    public boolean drain(Duration patience) throws InterruptedException {
        draining = true;
        if (awaitNone(patience)) {
            return true;
        }
        synchronized (threads) {
            threads.forEach(Thread::interrupt);
        }
        return awaitNone(patience);
    }

    private boolean awaitNone(Duration patience) throws InterruptedException {
        if (!free.tryAcquire(MOST, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        free.release(MOST);
        return true;
    }
}
