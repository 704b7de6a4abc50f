package org.metasched.store;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.metasched.negotiation.StoreBusyException;
import org.metasched.negotiation.StoreUnavailableException;

/** For connections, first come, first served: the pool itself lets those overtake that had one before. Thread-safe. */
final class WaitingLine {

    private final Semaphore free;

    WaitingLine(int connections) {
        this.free = new Semaphore(connections, true);
    }

    /** Waits until a connection is to be had, which is then the caller's until it {@linkplain #leave leaves}. */
    void enter(int seconds) {
        // A thread that is interrupted still gives back what it holds.
        boolean interrupted = Thread.interrupted();
        try {
            if (!free.tryAcquire(seconds, TimeUnit.SECONDS)) {
                throw new StoreBusyException(
                        "The database has been busy with earlier work for " + seconds + " seconds.");
            }
        } catch (InterruptedException e) {
            interrupted = true;
            throw new StoreUnavailableException("The wait for the database was cut off.", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void leave() {
        free.release();
    }

    /** Threads that wait. */
    int length() {
        return free.getQueueLength();
    }
}
