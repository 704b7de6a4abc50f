package org.metasched.agreement.making;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Refused;

/** Counts the offers that are being decided, up to a bound, and knows their threads so that a stop can reach them. Thread-safe. */
public final class OffersUnderWay {

    /** Offers that are negotiated at the same time; further ones are refused as BUSY. */
    private static final int MOST = 1024;

    private final Semaphore free = new Semaphore(MOST);
    private final Set<Thread> threads = new HashSet<>();
    private volatile boolean draining;

    OffersUnderWay() {}

    /** Whether another offer may be decided; each that may is to be {@link #end ended} or {@link #here closed}. */
    boolean begin() {
        return free.tryAcquire();
    }

    void beginInAnyCase() {
        free.acquireUninterruptibly();
    }

    void end() {
        free.release();
    }

    static Refused busy() {
        return new Refused(RefusalCode.BUSY, MOST + " offers are being negotiated already; repeat the offer later.");
    }

    /** The current thread decides an offer that has begun, until this is closed, which ends it. */
    Here here() {
        synchronized (threads) {
            threads.add(Thread.currentThread());
        }
        return new Here();
    }

    /** The current thread's decision of an offer; closed by the thread that made it. */
    final class Here implements AutoCloseable {
        @Override
        public void close() {
            synchronized (threads) {
                threads.remove(Thread.currentThread());
            }
            end();
        }
    }

    /** How many more may begin now. */
    int free() {
        return free.availablePermits();
    }

    /** Offers being negotiated now. */
    public int count() {
        return MOST - free.availablePermits();
    }

    boolean isDraining() {
        return draining;
    }

    /** Why no new offer is taken, while the service stops. */
    Optional<Refused> refusal() {
        return draining
                ? Optional.of(new Refused(RefusalCode.BUSY, "The service is shutting down."))
                : Optional.empty();
    }

    /**
     * Takes no new offers and waits for those under way. Negotiations that do not finish in time are interrupted and rolled back.
     *
     * @param patience before anything is cut off, and again for rolling back
     * @return whether nothing is under way any more
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
