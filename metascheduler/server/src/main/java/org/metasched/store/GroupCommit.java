package org.metasched.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.mvstore.MVStore;

/**
 * Group commit for H2: several transactions become durable by one write. H2 keeps commits in memory until it is told to write, and a transaction
 * returns when a write has ended that began after its commit. So does one that only reads, where it may have seen changes that are not written
 * yet. PostgreSQL groups commits itself. Thread-safe.
 */
final class GroupCommit {

    /** Most milliseconds for which a write waits for more commits: one for each other transaction that waits now or waited for the last write. */
    private static final long LONGEST_GATHERING = 10;

    /** Transactions that are being committed, or are committed and not written. */
    private final AtomicInteger unwritten = new AtomicInteger();

    private final boolean isH2;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wrote = lock.newCondition();
    private final AtomicLong lastTicket = new AtomicLong();
    private long writtenTicket;
    private boolean isWriting;
    /** The number of transactions that waited for the last write. */
    private long lastWaiting;

    GroupCommit(boolean isH2) {
        this.isH2 = isH2;
    }

    /** A commit that may not be durable yet. */
    interface Written {

        /** Waits until it is in the hands of the operating system. To be called once; needs no connection. */
        void await() throws SQLException;
    }

    /**
     * Commits, so that other transactions see what was changed.
     *
     * @param changes whether the transaction may have changed something
     * @param finds whether its caller may act on rows that it read
     */
    Written commit(Connection connection, boolean changes, boolean finds) throws SQLException {
        if (!isH2) {
            connection.commit();
            return () -> {};
        }
        var store = H2File.store(connection);
        int own = changes ? 1 : 0;
        unwritten.addAndGet(own);
        try {
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            unwritten.addAndGet(-own);
            throw e;
        }
        return () -> {
            try {
                if (changes || finds && unwritten.get() > 0) {
                    awaitWritten(store);
                }
            } finally {
                unwritten.addAndGet(-own);
            }
        };
    }

    private void awaitWritten(MVStore store) throws SQLException {
        long ticket = lastTicket.incrementAndGet();
        lock.lock();
        try {
            while (isWriting && writtenTicket < ticket) {
                wrote.awaitUninterruptibly();
            }
            if (writtenTicket >= ticket) {
                return;
            }
            isWriting = true;
        } finally {
            lock.unlock();
        }
        write(store);
    }

    /** Writes for all commits that have come by the time it begins. */
    private void write(MVStore store) throws SQLException {
        long upTo = 0;
        try {
            long others = Math.max(lastWaiting, unwritten.get()) - 1;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(others, LONGEST_GATHERING)));
            long covered = lastTicket.get();
            H2File.write(store);
            upTo = covered;
        } finally {
            lock.lock();
            try {
                lastWaiting = Math.max(0, upTo - writtenTicket);
                writtenTicket = Math.max(upTo, writtenTicket);
                isWriting = false;
                wrote.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
