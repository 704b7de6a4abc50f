package org.metasched.agreement.making;

import java.time.Clock;
import java.util.Optional;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementChanges;
import org.metasched.agreement.AgreementChanges.Change;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the decision about an offer durable: the agreement and the journal of its reservations in one transaction. Thread-safe. */
final class OfferSettlement {

    private static final Logger LOG = LoggerFactory.getLogger(OfferSettlement.class);

    private final AgreementBooks books;
    private final AgreementChanges changes;
    private final AgreementTermination termination;
    private final HeldOffers holds;
    private final OrphanSweeper sweeper;
    private final Clock clock;

    OfferSettlement(
            AgreementBooks books,
            AgreementChanges changes,
            AgreementTermination termination,
            HeldOffers holds,
            OrphanSweeper sweeper,
            Clock clock) {
        this.books = books;
        this.changes = changes;
        this.termination = termination;
        this.holds = holds;
        this.sweeper = sweeper;
        this.clock = clock;
    }

    /**
     * Keeps what was allocated.
     *
     * @param hold what holds it, if an offer was held
     */
    CreationOutcome keep(Agreement offered, Allocated allocated, Optional<String> hold) throws InterruptedException {
        var observed = observed(offered, allocated);
        try {
            return new Created(changes.save(observed, offered, () -> settle(observed, offered, hold)), false);
        } catch (RuntimeException e) {
            return resolve(observed, e);
        }
    }

    /** The same in the place of an older agreement, which is being ended from the same transaction on. */
    CreationOutcome replace(Agreement offered, Allocated allocated, Agreement old, Optional<String> hold)
            throws InterruptedException {
        var observed = observed(offered, allocated);
        var ending = old.become(
                AgreementState.OBSERVED_AND_TERMINATING, "Replaced by " + observed.id() + ".", clock.instant());
        try {
            var both = changes.save(
                    new Change(old, ending, () -> books.journal().strand(ending.keys(), clock.instant())),
                    new Change(offered, observed, () -> settle(observed, offered, hold)));
            termination.finish(both.get(0));
            return new Created(both.get(1), false);
        } catch (StaleAgreementException e) {
            sweeper.abandon(observed.keys());
            sweeper.release(observed.keys());
            return new Refused(RefusalCode.WITHDRAWN, "The agreement " + old.id() + " changed meanwhile.");
        } catch (RuntimeException e) {
            return resolve(observed, e);
        }
    }

    private Agreement observed(Agreement offered, Allocated allocated) {
        return offered.observed(allocated.slot(), allocated.commitments(), allocated.effort(), clock.instant());
    }

    /** A pending offer is decided in the turn of its agreement. The journal keeps what is held already. */
    private void settle(Agreement observed, Agreement offered, Optional<String> hold) {
        hold.ifPresentOrElse(holds::take, () -> books.journal().keep(observed.reservations()));
        if (offered.version() == 0) {
            books.offerLocks().settle(offered.offer().key());
        }
    }

    /** The save failed, or only its acknowledgement was lost, or the initiator ended a pending offer meanwhile. */
    private CreationOutcome resolve(Agreement observed, RuntimeException problem) throws InterruptedException {
        Optional<Agreement> stored;
        try {
            stored = books.agreements().findByOffer(observed.offer().key());
        } catch (RuntimeException e) {
            sweeper.abandon(observed.keys());
            problem.addSuppressed(e);
            throw problem;
        }
        if (stored.isPresent() && stored.get().keys().equals(observed.keys())) {
            return new Created(stored.get(), false);
        }
        sweeper.abandon(observed.keys());
        var left = sweeper.release(observed.keys());
        if (problem instanceof IllegalStateException) {
            LOG.info("Agreement {} was not made here: {}", observed.id(), problem.getMessage());
            var others = stored.filter(other -> !other.state().isUndecided());
            return others.isPresent()
                    ? new Created(others.get(), true)
                    : new Refused(RefusalCode.BUSY, "This server lost its turn while it decided; offer it again.");
        }
        if (stored.isEmpty() || !(problem instanceof StaleAgreementException)) {
            throw problem;
        }
        var current = stored.get();
        if (current.state() != AgreementState.PENDING_AND_TERMINATING) {
            return new Created(current, true);
        }
        LOG.info("Agreement {} was withdrawn; {} reservations left to the sweeper", current.id(), left.size());
        return new Created(changes.saveNewest(current.id(), AgreementState.TERMINATED, ""), false);
    }

    /** Rejects a pending offer. */
    CreationOutcome decline(Agreement pending, Refused refusal) {
        if (books.agreements().isOurs(pending.id())) {
            changes.saveNewest(pending.id(), AgreementState.REJECTED, refusal.reason());
            return remember(pending.offer(), refusal);
        }
        return refusal;
    }

    /** Records a refusal in the history. The server is overloaded after BUSY: no further work. */
    CreationOutcome remember(AgreementOffer offer, CreationOutcome outcome) {
        return outcome.fold(made -> made, refused -> {
            try {
                if (refused.code() != RefusalCode.BUSY) {
                    books.history()
                            .refuse(new RefusedOffer(
                                    0,
                                    clock.instant(),
                                    offer.key(),
                                    refused.code(),
                                    refused.reason(),
                                    offer.alternatives()));
                }
            } catch (StoreUnavailableException e) {
                LOG.warn("A refused offer was not remembered: {}", e.getMessage());
            }
            return refused;
        });
    }
}
