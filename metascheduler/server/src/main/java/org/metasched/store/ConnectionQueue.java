package org.metasched.store;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.metasched.negotiation.StoreBusyException;
import org.metasched.negotiation.StoreUnavailableException;

/** Fair queue for the database's connections, as the pool itself prefers threads that had one before. Thread-safe. */
final class ConnectionQueue {

    private final Semaphore free;

    ConnectionQueue(int connections) {
        this.free = new Semaphore(connections, true);
    }

    /** Waits until a connection is free; it is the caller's until {@link #leave}. */
    void enter(int seconds) {
        // A thread interrupted earlier may still need a connection to clean up.
        boolean interrupted = Thread.interrupted();
        try {
            if (!free.tryAcquire(seconds, TimeUnit.SECONDS)) {
                throw new StoreBusyException(
                        "The database has been busy with earlier work for " + seconds + " seconds.");
            }
        } catch (InterruptedException e) {
            interrupted = true;
            throw new StoreUnavailableException("The wait for a database connection was interrupted.", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void leave() {
        free.release();
    }

    /** The number of waiting threads. */
    int length() {
        return free.getQueueLength();
    }
}
