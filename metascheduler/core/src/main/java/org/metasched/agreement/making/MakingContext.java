package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Executor;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementChanges;
import org.metasched.negotiation.OrphanSweeper;

/**
 * Collaborators that every step of making an agreement shares.
 *
 * @param sweeper gives back reservations that a step leaves behind
 * @param underWay offers that are being decided
 * @param background executor of work for which no caller waits
 */
record MakingContext(
        AgreementBooks books,
        AgreementChanges changes,
        OrphanSweeper sweeper,
        OffersUnderWay underWay,
        Executor background,
        Clock clock) {

    Instant now() {
        return clock.instant();
    }
}
