package org.metasched.agreement.making;

import java.util.Optional;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.RefusalCode;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.ResultCase;

/** Outcome of an offer. */
public sealed interface CreationOutcome {

    /** Takes the result apart. A new case adds a parameter, so that no caller compiles until it handles it. */
    default <R, E extends Exception> R fold(ResultCase<Created, R, E> created, ResultCase<Refused, R, E> refused)
            throws E {
        return this instanceof Created made ? created.of(made) : refused.of((Refused) this);
    }

    /** @param repeated whether the offer had been accepted before, so that nothing new was made */
    record Created(Agreement agreement, boolean repeated) implements CreationOutcome {}

    /**
     * The offer was declined. No agreement exists; nothing is held, or the sweeper is giving it back.
     *
     * @param reason reason for people
     * @param site the site that caused the refusal, if one did
     */
    record Refused(RefusalCode code, String reason, Optional<SiteId> site, NegotiationEffort effort)
            implements CreationOutcome {

        Refused(RefusalCode code, String reason) {
            this(code, reason, Optional.empty(), NegotiationEffort.NONE);
        }
    }
}
