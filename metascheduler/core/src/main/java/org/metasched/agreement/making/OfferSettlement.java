package org.metasched.agreement.making;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementChanges.Change;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.negotiation.SiteReservation;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the decision about an offer durable: the agreement and the journal of its reservations in one transaction. Thread-safe. */
record OfferSettlement(MakingContext context, AgreementTermination termination, HeldOffers holds) {

    private static final Logger LOG = LoggerFactory.getLogger(OfferSettlement.class);

    /**
     * Makes an agreement of the reservations. An agreement that was made of the same offer meanwhile is returned instead.
     *
     * @param hold name of the hold that has the reservations; empty if the offer was not held
     */
    CreationOutcome keep(Agreement offered, Allocated allocated, Optional<String> hold) throws InterruptedException {
        var observed = observed(offered, allocated);
        try {
            return new Created(
                    context.changes().save(offered, observed, () -> settle(observed, offered, hold, hold.isPresent())),
                    false);
        } catch (RuntimeException e) {
            return resolve(observed, Optional.empty(), e);
        }
    }

    /** Like {@link #keep}, in the place of an older agreement, which is being ended from the same transaction on. */
    CreationOutcome replace(Agreement offered, Allocated allocated, Agreement old, Optional<String> hold)
            throws InterruptedException {
        var observed = observed(offered, allocated);
        var ending = old.become(
                AgreementState.OBSERVED_AND_TERMINATING, "Replaced by " + observed.id() + ".", context.now());
        var oldKeys = new HashSet<>(ending.keys());
        oldKeys.removeAll(observed.keys());
        try {
            var saved = context.changes()
                    .save(
                            new Change(
                                    old, ending, () -> context.books().journal().orphan(oldKeys, context.now())),
                            new Change(offered, observed, () -> settle(observed, offered, hold, true)));
            try {
                termination.finish(saved.get(0));
                // Of the new agreement's reservations, this gives back only what sites hold beyond decided changes.
                context.sweeper().release(observed.keys());
            } catch (InterruptedException e) {
                // The new agreement is made; the sweeper gives the old reservations back.
                Thread.currentThread().interrupt();
            }
            return new Created(saved.get(1), false);
        } catch (RuntimeException e) {
            return resolve(observed, Optional.of(old), e);
        }
    }

    private Agreement observed(Agreement offered, Allocated allocated) {
        return offered.observed(
                allocated.alternative(), allocated.slot(), allocated.commitments(), allocated.effort(), context.now());
    }

    /**
     * Keeps the reservations in the journal, or takes them from their hold; releases the lock of an offer that was not pending.
     *
     * @param mayBeChanged whether some reservations may be old ones that were changed in place
     */
    private void settle(Agreement observed, Agreement offered, Optional<String> hold, boolean mayBeChanged) {
        var newReservations = mayBeChanged ? decideChanges(observed) : observed.reservations();
        hold.ifPresentOrElse(holds::take, () -> context.books().journal().keep(newReservations));
        if (offered.version() == 0) {
            context.books().offerLocks().settle(offered.offer().key());
        }
    }

    /** Decides the changes in place for the agreement; returns the reservations that are new. */
    private List<SiteReservation> decideChanges(Agreement observed) {
        var parts = observed.reservations().stream()
                .collect(Collectors.toMap(part -> part.reservation().key(), part -> part));
        var changed = context.books()
                .journal()
                .advanceAll(
                        observed.keys(), change -> change.decidedFor(Objects.requireNonNull(parts.get(change.key()))));
        return observed.reservations().stream()
                .filter(part -> !changed.contains(part.reservation().key()))
                .toList();
    }

    /**
     * Outcome after a failed save: the agreement may be stored all the same, or its pending offer, or the agreement in whose place it
     * comes, may have been changed meanwhile.
     */
    private CreationOutcome resolve(Agreement observed, Optional<Agreement> old, RuntimeException problem)
            throws InterruptedException {
        Optional<Agreement> stored;
        try {
            stored = context.books().agreements().findByOffer(observed.offer().key());
        } catch (RuntimeException e) {
            context.sweeper().abandon(observed.keys());
            problem.addSuppressed(e);
            throw problem;
        }
        if (stored.isPresent() && stored.get().keys().equals(observed.keys())) {
            return new Created(stored.get(), false);
        }
        context.sweeper().abandon(observed.keys());
        var left = context.sweeper().release(observed.keys());
        // The lock, the hold or the journal's entries are no longer this process's: another one may have decided.
        if (problem instanceof IllegalStateException) {
            var unfinished = unfinished("Agreement " + observed.id(), problem);
            var decided = stored.filter(other -> !other.state().isUndecided());
            return decided.isPresent() ? new Created(decided.get(), true) : unfinished;
        }
        if (problem instanceof StaleAgreementException
                && old.filter(this::isChanged).isPresent()) {
            return new Refused(
                    RefusalCode.WITHDRAWN, "The agreement " + old.get().id() + " changed meanwhile.");
        }
        if (stored.isEmpty() || !(problem instanceof StaleAgreementException)) {
            throw problem;
        }
        var current = stored.get();
        if (current.state() != AgreementState.PENDING_AND_TERMINATING) {
            return new Created(current, true);
        }
        LOG.info("Agreement {} was withdrawn; {} reservations left to the sweeper", current.id(), left.size());
        return new Created(context.changes().saveNewest(current.id(), AgreementState.TERMINATED, ""), false);
    }

    /** The refusal of an offer whose reservations another process may be giving back. */
    static Refused unfinished(String what, RuntimeException problem) {
        LOG.info("{} was not made here: {}", what, problem.getMessage());
        return new Refused(RefusalCode.BUSY, "This server could not finish its decision; send the offer again.");
    }

    private boolean isChanged(Agreement read) {
        var now = context.books().agreements().find(read.id());
        return now.filter(agreement -> agreement.version() == read.version()).isEmpty();
    }

    /** Rejects a pending offer, unless another process may decide it. */
    CreationOutcome decline(Agreement pending, Refused refusal) {
        if (context.books().agreements().mayDecide(pending.id())) {
            context.changes().saveNewest(pending.id(), AgreementState.REJECTED, refusal.reason());
            return remember(pending.offer(), refusal, context.books().history()::refuse);
        }
        return refusal;
    }

    /** Records a refusal in the history. BUSY is not recorded: an overloaded server spares the work. */
    CreationOutcome remember(AgreementOffer offer, CreationOutcome outcome) {
        return remember(offer, outcome, context.changes()::refuse);
    }

    private CreationOutcome remember(AgreementOffer offer, CreationOutcome outcome, Consumer<RefusedOffer> history) {
        return outcome.fold(made -> made, refused -> {
            try {
                if (refused.code() != RefusalCode.BUSY) {
                    history.accept(new RefusedOffer(
                            0, context.now(), offer.key(), refused.code(), refused.reason(), offer.alternatives()));
                }
            } catch (StoreUnavailableException e) {
                LOG.warn("A refused offer was not remembered: {}", e.getMessage());
            }
            return refused;
        });
    }
}
