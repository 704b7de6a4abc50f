package org.metasched.agreement;

import java.time.Instant;
import java.util.Optional;

/** Durable store of the times until which ended agreements are kept. Thread-safe. */
public interface AgreementRetention {

    /** Sets the time until which an agreement is kept after its end, in place of the usual time. An unknown id is ignored. */
    void keepUntil(AgreementId id, Instant until);

    /** The time that was set for an agreement; empty if none was. */
    Optional<Instant> keptUntil(AgreementId id);

    /**
     * Forgets one agreement, if it is in a final state.
     *
     * @return whether it was forgotten: false also for an unknown id
     */
    boolean forget(AgreementId id);

    /**
     * Forgets agreements in a final state: those with a time of their own if it has come, the others if they reached
     * that state before {@code changedBefore}. Of very many, some are left for the next time.
     *
     * @return number of agreements that were forgotten
     */
    int forgetFinal(Instant changedBefore, Instant now);
}
