package org.metasched.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Several transactions of H2 become durable by one write: H2 keeps what is committed in memory until it is told to write, and a transaction
 * returns when a write has ended that began after its commit. So does one that only reads, where it may have seen what is not written yet.
 * Thread-safe.
 */
final class GroupCommit {

    /** The time for which a write waits for more commits, where several came together before. */
    private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(3);

    /** Transactions that are being committed, or are committed and not written. */
    private final AtomicInteger unwritten = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wrote = lock.newCondition();
    private long lastTicket;

    private long writtenTicket;
    private boolean writing;
    /** Whether several waited for the last write. */
    private boolean crowded;

    /**
     * Commits, and returns when that is in the hands of the operating system.
     *
     * @param changes whether the transaction may have changed something
     * @param finds whether its caller may act on rows that it read
     */
    void commit(Connection connection, boolean changes, boolean finds) throws SQLException {
        if (!changes) {
            connection.commit();
            if (finds && unwritten.get() > 0) {
                awaitWritten(connection);
            }
            return;
        }
        // Before the commit: from then on others see what it changed.
        unwritten.incrementAndGet();
        try {
            connection.commit();
            awaitWritten(connection);
        } finally {
            unwritten.decrementAndGet();
        }
    }

    private void awaitWritten(Connection connection) throws SQLException {
        long ticket;
        lock.lock();
        try {
            ticket = ++lastTicket;
            while (writing && writtenTicket < ticket) {
                wrote.awaitUninterruptibly();
            }
            if (writtenTicket >= ticket) {
                return;
            }
            writing = true;
        } finally {
            lock.unlock();
        }
        write(connection);
    }

    /** Writes for all commits that have come by the time it begins. */
    private void write(Connection connection) throws SQLException {
        long upTo = 0;
        boolean done = false;
        try {
            if (crowded || unwritten.get() > 1) {
                LockSupport.parkNanos(GATHERING);
            }
            upTo = arrivals();
            H2File.write(connection);
            done = true;
        } finally {
            lock.lock();
            try {
                if (done) {
                    crowded = upTo - writtenTicket > 1;
                    writtenTicket = upTo;
                }
                writing = false;
                wrote.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private long arrivals() {
        lock.lock();
        try {
            return lastTicket;
        } finally {
            lock.unlock();
        }
    }
}
