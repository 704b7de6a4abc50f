package org.metasched.agreement.making;

import java.util.Optional;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.RefusalCode;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.ResultCase;

/** Outcome of an offer. */
public sealed interface CreationOutcome {

    /** Calls the function of its case. A new case adds a parameter, so that no caller compiles until it handles it. */
    default <R, E extends Exception> R fold(ResultCase<Created, R, E> created, ResultCase<Refused, R, E> refused)
            throws E {
        return this instanceof Created made ? created.of(made) : refused.of((Refused) this);
    }

    /**
     * An agreement was made of the offer, now or before.
     *
     * @param repeated whether it was made before, of the same offer
     */
    record Created(Agreement agreement, boolean repeated) implements CreationOutcome {}

    /**
     * The offer was declined. No agreement exists; its reservations are given back, at the latest by the sweeper.
     *
     * @param reason reason for people
     * @param site the site that caused the refusal; empty if no single one did
     */
    record Refused(RefusalCode code, String reason, Optional<SiteId> site, NegotiationEffort effort)
            implements CreationOutcome {

        Refused(RefusalCode code, String reason) {
            this(code, reason, Optional.empty(), NegotiationEffort.NONE);
        }
    }
}
