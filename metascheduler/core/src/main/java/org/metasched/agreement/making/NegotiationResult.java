package org.metasched.agreement.making;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.ResultCase;

/** Result of the negotiation of an offer: reservations, which the caller must keep or hand to the sweeper, or a refusal. */
public sealed interface NegotiationResult {

    /** Calls the function of its case. A new case adds a parameter, so that no caller compiles until it handles it. */
    default <R, E extends Exception> R fold(ResultCase<Allocated, R, E> allocated, ResultCase<Declined, R, E> declined)
            throws E {
        return this instanceof Allocated made ? allocated.of(made) : declined.of((Declined) this);
    }

    /** @param alternative the alternative for which the reservations were made; empty if it is not known */
    record Allocated(
            Optional<AgreementRequest> alternative,
            TimeSlot slot,
            List<SiteCommitment> commitments,
            NegotiationEffort effort)
            implements NegotiationResult {}

    record Declined(Refused refusal) implements NegotiationResult {

        /** The same refusal with another reason appended. */
        Declined because(String more) {
            return new Declined(new Refused(refusal.code(), refusal.reason() + more, refusal.site(), refusal.effort()));
        }
    }
}
