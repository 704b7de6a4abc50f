package org.metasched.agreement.making;

import java.time.Clock;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementChanges;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.negotiation.OrphanSweeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends agreements and gives their reservations back. Thread-safe. */
public final class AgreementTermination {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementTermination.class);

    private final AgreementBooks books;
    private final AgreementChanges changes;
    private final OrphanSweeper sweeper;
    private final Clock clock;

    AgreementTermination(AgreementBooks books, AgreementChanges changes, OrphanSweeper sweeper, Clock clock) {
        this.books = books;
        this.changes = changes;
        this.sweeper = sweeper;
        this.clock = clock;
    }

    /**
     * Ends an agreement: gives its reservations back. What a silent site still holds then is left to the sweeper, and the
     * agreement stays {@code ObservedAndTerminating} until that is done.
     */
    public TerminationOutcome end(AgreementId id, String reason) throws InterruptedException {
        while (true) {
            var found = books.agreements().find(id);
            if (found.isEmpty()) {
                return new TerminationOutcome.Unknown(id);
            }
            if (found.get().state().isFinal()) {
                return new TerminationOutcome.AlreadyFinal(found.get());
            }
            try {
                return new TerminationOutcome.Ending(end(found.get(), reason));
            } catch (StaleAgreementException e) {
                LOG.debug("Agreement {} changed while it was being ended; once more", id);
            }
        }
    }

    private Agreement end(Agreement agreement, String reason) throws InterruptedException {
        var ending = agreement;
        if (agreement.state() == AgreementState.PENDING) {
            return changes.save(
                    agreement.become(AgreementState.PENDING_AND_TERMINATING, reason, clock.instant()), agreement);
        }
        if (agreement.state() == AgreementState.OBSERVED) {
            var next = agreement.become(AgreementState.OBSERVED_AND_TERMINATING, reason, clock.instant());
            ending = changes.save(next, agreement, () -> books.journal().strand(next.keys(), clock.instant()));
        }
        return ending.state() == AgreementState.OBSERVED_AND_TERMINATING ? finish(ending) : ending;
    }

    /** Gives back what an ending agreement still holds; it is terminated when that is all of it. */
    public Agreement finish(Agreement ending) throws InterruptedException {
        if (!sweeper.release(ending.keys()).isEmpty()) {
            return ending;
        }
        try {
            return changes.save(ending.become(AgreementState.TERMINATED, "", clock.instant()), ending);
        } catch (StaleAgreementException e) {
            return books.agreements().find(ending.id()).orElse(ending);
        }
    }
}
