package org.metasched.agreement;

import java.time.Instant;
import java.util.Optional;

/** How long each agreement is kept after its end, durably. Thread-safe. */
public interface AgreementRetention {

    /** Sets a time of its own until which an agreement is kept after its end; one that is not there is passed over. */
    void keepUntil(AgreementId id, Instant until);

    /** The time that was set, if one was. */
    Optional<Instant> keptUntil(AgreementId id);

    /**
     * Forgets one agreement, if it is in a final state.
     *
     * @return whether it was and is forgotten
     */
    boolean forget(AgreementId id);

    /**
     * Forgets agreements in a final state: those with a time of their own when that has come, the others when they reached
     * that state before an instant.
     *
     * @return how many
     */
    int forgetFinal(Instant changedBefore, Instant now);
}
