package org.metasched.agreement.making;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Counts the offers that are being decided, up to a bound, and knows their threads so that a stop can reach them. */
final class OffersUnderWay {

    private final int most;
    private final Semaphore free;
    private final Set<Thread> threads = new HashSet<>();

    OffersUnderWay(int most) {
        this.most = most;
        this.free = new Semaphore(most);
    }

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

    /** The current thread decides an offer that has begun, until this is closed, which ends it. */
    Here here() {
        synchronized (threads) {
            threads.add(Thread.currentThread());
        }
        return new Here();
    }

    /** Not to be named; closed by the thread that made it. */
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

    int count() {
        return most - free.availablePermits();
    }

    boolean awaitNone(Duration patience) throws InterruptedException {
        if (!free.tryAcquire(most, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        free.release(most);
        return true;
    }

    /** Interrupts every thread that decides an offer: each gives back what it has made. */
    boolean cutOff(Duration patience) throws InterruptedException {
        synchronized (threads) {
            threads.forEach(Thread::interrupt);
        }
        return awaitNone(patience);
    }
}
