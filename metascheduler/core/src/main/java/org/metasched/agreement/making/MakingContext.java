package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementChanges;
import org.metasched.negotiation.OrphanSweeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collaborators that every step of making an agreement shares.
 *
 * @param sweeper gives back reservations that a step leaves behind
 * @param underWay offers and repairs that are being decided
 * @param background executor of work for which no caller waits
 */
record MakingContext(
        AgreementBooks books,
        AgreementChanges changes,
        OrphanSweeper sweeper,
        OffersUnderWay underWay,
        Executor background,
        Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(MakingContext.class);

    Instant now() {
        return clock.instant();
    }

    /** Work that is cut off when the service stops. */
    @FunctionalInterface
    interface Work {
        void run() throws InterruptedException;
    }

    /** Does work in the background, and gives back the permit that was taken for it; if the executor has stopped, drops the work. */
    void inBackground(Work work) {
        try {
            background.execute(() -> {
                try (var registration = underWay.onThisThread()) {
                    work.run();
                } catch (InterruptedException e) {
                    LOG.info("Work in the background is left to the next start: the service stops");
                }
            });
        } catch (RejectedExecutionException e) {
            underWay.end();
        }
    }
}
