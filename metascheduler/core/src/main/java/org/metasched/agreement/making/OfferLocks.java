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
 * Locks on offers: each is decided once at a time, in this process and among all that share its store. A repeated offer waits, and gets
 * the outcome of the first. Thread-safe.
 */
final class OfferLocks {

    private static final Logger LOG = LoggerFactory.getLogger(OfferLocks.class);
    /** Between two looks whether another process has decided. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final AgreementBooks books;
    private final Map<OfferKey, CompletableFuture<CreationOutcome>> underWay = new ConcurrentHashMap<>();
    /** Locks that are to be released as soon as the store answers. */
    private final Set<OfferKey> unreleased = ConcurrentHashMap.newKeySet();

    OfferLocks(AgreementBooks books) {
        this.books = books;
    }

    /** Waits while another thread decides the offer. */
    Lock lock(OfferKey key) throws InterruptedException {
        var mine = new CompletableFuture<CreationOutcome>();
        var other = underWay.putIfAbsent(key, mine);
        if (other != null) {
            return new Lock(key, mine, Optional.of(repeatOf(other)));
        }
        var lock = new Lock(key, mine, Optional.empty());
        try {
            lock.earlier = lock.made();
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
        private boolean isShared;

        private Lock(OfferKey key, CompletableFuture<CreationOutcome> mine, Optional<CreationOutcome> earlier) {
            this.key = key;
            this.mine = mine;
            this.earlier = earlier;
        }

        /** The outcome of the same offer before, or in another thread. */
        Optional<CreationOutcome> earlier() {
            return earlier;
        }

        private Optional<CreationOutcome> made() {
            return books.agreements().findByOffer(key).map(made -> new Created(made, true));
        }

        /** Waits while another process decides the offer: the agreement that was made there, if one was. */
        Optional<CreationOutcome> share() throws InterruptedException {
            while (!books.offerLocks().acquire(key)) {
                var made = made();
                if (made.isPresent()) {
                    return made;
                }
                Thread.sleep(LOOK_AGAIN.toMillis());
            }
            isShared = true;
            return Optional.empty();
        }

        /** Tells the threads that wait. A new agreement has released the lock among processes when it was saved. */
        CreationOutcome complete(CreationOutcome outcome) {
            isShared = isShared && outcome.<Boolean, RuntimeException>fold(Created::repeated, refused -> true);
            mine.complete(outcome);
            return outcome;
        }

        @Override
        public void close() {
            try {
                if (isShared) {
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

    /** Releases locks that a store without an answer left; to be called from time to time. */
    void releaseLeft() {
        for (var key : Set.copyOf(unreleased)) {
            var mine = new CompletableFuture<CreationOutcome>();
            if (underWay.putIfAbsent(key, mine) == null) {
                unreleased.remove(key);
                var lock = new Lock(key, mine, Optional.empty());
                lock.isShared = true;
                lock.close();
            }
        }
    }
}
