package org.metasched.agreement.making;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks on offers: one thread at a time decides an offer, among all processes that share the store. A repeated offer waits, and gets the
 * outcome of the first. Thread-safe.
 */
final class OfferLocks {

    private static final Logger LOG = LoggerFactory.getLogger(OfferLocks.class);
    /** Pause between two attempts to take a lock that another process holds. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final AgreementBooks books;
    private final Map<OfferKey, CompletableFuture<CreationOutcome>> underWay = new ConcurrentHashMap<>();
    /** Offers whose locks among processes are to be released as soon as the store answers. */
    private final Set<OfferKey> unreleased = ConcurrentHashMap.newKeySet();

    OfferLocks(AgreementBooks books) {
        this.books = books;
    }

    /** Locks an offer in this process; waits while another thread decides it, and then has the outcome as {@link Lock#earlier}. */
    Lock lock(OfferKey key) throws InterruptedException {
        var mine = new CompletableFuture<CreationOutcome>();
        var other = underWay.putIfAbsent(key, mine);
        if (other != null) {
            return new Lock(key, mine, Optional.of(repeatOf(other)));
        }
        var lock = new Lock(key, mine, Optional.empty());
        try {
            lock.earlier = lock.existing();
            return lock;
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static CreationOutcome repeatOf(CompletableFuture<CreationOutcome> first) throws InterruptedException {
        try {
            return first.get().fold(created -> new Created(created.agreement(), true), refused -> refused);
        } catch (ExecutionException e) {
            return new Refused(RefusalCode.BUSY, "The same offer was being decided and was cut off; repeat the offer.");
        }
    }

    /** The lock of one offer, held by the thread that decides it. */
    final class Lock implements AutoCloseable {

        private final OfferKey key;
        private final CompletableFuture<CreationOutcome> mine;
        private Optional<CreationOutcome> earlier;
        /** Whether this process holds the lock among processes. */
        private boolean holdsLock;

        private Lock(OfferKey key, CompletableFuture<CreationOutcome> mine, Optional<CreationOutcome> earlier) {
            this.key = key;
            this.mine = mine;
            this.earlier = earlier;
        }

        /** The outcome of the same offer, if it was decided before or just now in another thread; empty if it is to be decided. */
        Optional<CreationOutcome> earlier() {
            return earlier;
        }

        private Optional<CreationOutcome> existing() {
            return books.agreements().findByOffer(key).map(made -> new Created(made, true));
        }

        /** Takes the lock among processes; waits while another process decides the offer. Returns the agreement made there, if one was. */
        Optional<CreationOutcome> lockAmongProcesses() throws InterruptedException {
            while (!books.offerLocks().acquire(key)) {
                var made = existing();
                if (made.isPresent()) {
                    return made;
                }
                Thread.sleep(POLL_INTERVAL.toMillis());
            }
            holdsLock = true;
            return Optional.empty();
        }

        /** Gives the outcome to threads that wait. The save of a new agreement has already released the lock among processes. */
        CreationOutcome complete(CreationOutcome outcome) {
            holdsLock = holdsLock && outcome.<Boolean, RuntimeException>fold(Created::repeated, refused -> true);
            mine.complete(outcome);
            return outcome;
        }

        @Override
        public void close() {
            try {
                if (holdsLock) {
                    release(key);
                }
            } finally {
                underWay.remove(key, mine);
                mine.completeExceptionally(new IllegalStateException("The first offer of this key was cut off."));
            }
        }
    }

    private void release(OfferKey key) {
        try {
            books.offerLocks().release(key);
        } catch (StoreUnavailableException e) {
            LOG.debug("The lock of an offer is released when the store answers", e);
            unreleased.add(key);
        }
    }

    /** Releases locks that could not be released while the store did not answer; to be called from time to time. */
    void releasePostponed() {
        for (var key : Set.copyOf(unreleased)) {
            var mine = new CompletableFuture<CreationOutcome>();
            if (underWay.putIfAbsent(key, mine) == null) {
                unreleased.remove(key);
                var lock = new Lock(key, mine, Optional.empty());
                lock.holdsLock = true;
                lock.close();
            }
        }
    }
}
