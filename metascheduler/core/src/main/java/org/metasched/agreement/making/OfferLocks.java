package org.metasched.agreement.making;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets each offer be decided once at a time, in this process and among all that share its store: a repeated offer waits, and gets
 * what came of the first. Thread-safe.
 */
final class OfferLocks {

    private static final Logger LOG = LoggerFactory.getLogger(OfferLocks.class);
    /** Between two looks whether another process has decided. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final AgreementRepository repository;
    private final Map<OfferKey, CompletableFuture<CreationOutcome>> underWay = new ConcurrentHashMap<>();
    /** Turns that are over, and stand in a store that did not answer. */
    private final Set<OfferKey> over = ConcurrentHashMap.newKeySet();

    OfferLocks(AgreementRepository repository) {
        this.repository = repository;
    }

    /** Decides an offer. */
    interface Decision {
        CreationOutcome make() throws InterruptedException;
    }

    /** What was made of the offer before, or what comes of it now, here or in another thread. */
    CreationOutcome once(OfferKey key, Decision decision) throws InterruptedException {
        var mine = new CompletableFuture<CreationOutcome>();
        var other = underWay.putIfAbsent(key, mine);
        if (other != null) {
            return repeatOf(other);
        }
        try {
            var earlier = repository.findByOffer(key);
            var outcome = earlier.isPresent() ? new Created(earlier.get(), true) : decision.make();
            mine.complete(outcome);
            return outcome;
        } finally {
            underWay.remove(key, mine);
            mine.completeExceptionally(new IllegalStateException("The first offer of this key was cut off."));
        }
    }

    private static CreationOutcome repeatOf(CompletableFuture<CreationOutcome> first) throws InterruptedException {
        try {
            return first.get().fold(created -> new Created(created.agreement(), true), refused -> refused);
        } catch (ExecutionException e) {
            return new Refused(RefusalCode.BUSY, "The same offer was being decided and was cut off; offer it again.");
        }
    }

    /** Decides when no other process does, unless one has made an agreement of the offer. To be called within {@link #once}. */
    CreationOutcome inTurn(OfferKey key, Decision decision) throws InterruptedException {
        while (!repository.begin(key)) {
            var made = repository.findByOffer(key);
            if (made.isPresent()) {
                return new Created(made.get(), true);
            }
            Thread.sleep(LOOK_AGAIN.toMillis());
        }
        boolean settled = false;
        try {
            var outcome = decision.make();
            settled = outcome.fold(created -> !created.repeated(), refused -> false);
            return outcome;
        } finally {
            if (!settled) {
                end(key);
            }
        }
    }

    private void end(OfferKey key) {
        try {
            repository.end(key);
        } catch (StoreUnavailableException e) {
            LOG.debug("The turn of an offer is ended when the store answers", e);
            over.add(key);
        }
    }

    /** Ends turns that are over; from time to time. */
    void settle() {
        for (var key : Set.copyOf(over)) {
            var mine = new CompletableFuture<CreationOutcome>();
            if (underWay.putIfAbsent(key, mine) == null) {
                try {
                    over.remove(key);
                    end(key);
                } finally {
                    underWay.remove(key, mine);
                    mine.completeExceptionally(new IllegalStateException("No offer was decided."));
                }
            }
        }
    }
}
