package org.metasched.agreement.making;

import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.StaleAgreementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends agreements and gives their reservations back. Thread-safe. */
public final class AgreementTermination {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementTermination.class);

    private final MakingContext context;

    AgreementTermination(MakingContext context) {
        this.context = context;
    }

    /**
     * Ends an agreement and gives its reservations back. The sweeper gives back those that a silent site still holds; until then the
     * agreement stays {@code ObservedAndTerminating}.
     */
    public TerminationOutcome end(AgreementId id, String reason) throws InterruptedException {
        while (true) {
            var current = context.books().agreements().find(id);
            if (current.isEmpty()) {
                return new TerminationOutcome.Unknown(id);
            }
            if (current.get().state().isFinal()) {
                return new TerminationOutcome.AlreadyFinal(current.get());
            }
            try {
                return new TerminationOutcome.Ending(end(current.get(), reason));
            } catch (StaleAgreementException e) {
                LOG.debug("Agreement {} changed while it was being ended; once more", id);
            }
        }
    }

    private Agreement end(Agreement agreement, String reason) throws InterruptedException {
        var ending = agreement;
        if (agreement.state() == AgreementState.PENDING) {
            return context.changes()
                    .save(agreement, agreement.become(AgreementState.PENDING_AND_TERMINATING, reason, context.now()));
        }
        if (agreement.state() == AgreementState.OBSERVED) {
            var next = agreement.become(AgreementState.OBSERVED_AND_TERMINATING, reason, context.now());
            ending = context.changes()
                    .save(agreement, next, () -> context.books().journal().orphan(next.keys(), context.now()));
        }
        return ending.state() == AgreementState.OBSERVED_AND_TERMINATING ? finish(ending) : ending;
    }

    /** Gives back the reservations of an ending agreement. Returns the agreement: terminated, or as before while a site still holds one. */
    public Agreement finish(Agreement ending) throws InterruptedException {
        if (!context.sweeper().release(ending.keys()).isEmpty()) {
            return ending;
        }
        try {
            return context.changes().save(ending, ending.become(AgreementState.TERMINATED, "", context.now()));
        } catch (StaleAgreementException e) {
            return context.books().agreements().find(ending.id()).orElse(ending);
        }
    }
}
