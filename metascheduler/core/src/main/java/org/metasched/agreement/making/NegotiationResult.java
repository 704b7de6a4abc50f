package org.metasched.agreement.making;

import java.util.List;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.ResultCase;

/** Result of the negotiation of an offer: reservations, which the caller must keep or leave to the sweeper, or a refusal. */
sealed interface NegotiationResult {

    /** Takes the result apart; callers do not compile until they handle a new case. */
    <R, E extends Exception> R fold(ResultCase<Allocated, R, E> allocated, ResultCase<Declined, R, E> declined)
            throws E;

    record Allocated(TimeSlot slot, List<SiteCommitment> commitments, NegotiationEffort effort)
            implements NegotiationResult {
        @Override
        public <R, E extends Exception> R fold(
                ResultCase<Allocated, R, E> allocated, ResultCase<Declined, R, E> declined) throws E {
            return allocated.of(this);
        }
    }

    record Declined(Refused refusal) implements NegotiationResult {

        /** The same refusal with another reason appended. */
        Declined because(String more) {
            return new Declined(new Refused(refusal.code(), refusal.reason() + more, refusal.site(), refusal.effort()));
        }

        @Override
        public <R, E extends Exception> R fold(
                ResultCase<Allocated, R, E> allocated, ResultCase<Declined, R, E> declined) throws E {
            return declined.of(this);
        }
    }
}
