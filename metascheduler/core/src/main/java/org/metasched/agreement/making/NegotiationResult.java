package org.metasched.agreement.making;

import java.util.List;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Commitment;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.negotiation.Case;
import org.metasched.negotiation.NegotiationEffort;

/** The result of the negotiation of an offer: reservations, which the caller must keep or strand, or a refusal. */
sealed interface NegotiationResult {

    /** Takes the result apart: a new case does not compile until every caller handles it. */
    <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined) throws E;

    record Allocated(TimeSlot slot, List<Commitment> commitments, NegotiationEffort effort)
            implements NegotiationResult {
        @Override
        public <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined)
                throws E {
            return allocated.of(this);
        }
    }

    record Declined(Refused refusal) implements NegotiationResult {
        @Override
        public <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined)
                throws E {
            return declined.of(this);
        }
    }
}
