package org.metasched.agreement.making;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers that are stored as pending and decided in the background, also after a restart. Thread-safe. */
final class PendingOffers {

    private static final Logger LOG = LoggerFactory.getLogger(PendingOffers.class);

    private final MakingContext context;
    private final OfferNegotiator negotiator;
    private final OfferSettlement settlement;
    /** Undecided offers of other processes, and those whose decision could not be stored. */
    private final Queue<AgreementId> postponed = new ConcurrentLinkedQueue<>();

    PendingOffers(MakingContext context, OfferNegotiator negotiator, OfferSettlement settlement) {
        this.context = context;
        this.negotiator = negotiator;
        this.settlement = settlement;
    }

    /** Stores an offer as pending and decides it in the background. */
    CreationOutcome begin(AgreementOffer offer) {
        if (!context.underWay().tryBegin()) {
            return OffersUnderWay.busy();
        }
        Agreement pending;
        try {
            var offered = Agreement.offered(AgreementId.random(), offer, context.now());
            pending = context.changes().record(offered, offered);
        } catch (StaleAgreementException e) {
            context.underWay().end();
            return new Created(
                    context.books().agreements().findByOffer(offer.key()).orElseThrow(() -> e), true);
        } catch (RuntimeException e) {
            context.underWay().end();
            throw e;
        }
        decideInBackground(pending);
        return new Created(pending, false);
    }

    /**
     * Decides offers again that processes which are gone left undecided, or whose decision could not be stored.
     *
     * @return number of offers that other processes left
     */
    synchronized int recover() {
        var left = context.underWay().isDraining()
                ? List.<Agreement>of()
                : context.books()
                        .agreements()
                        .takeOver(AgreementState.UNDECIDED, context.underWay().free());
        left.forEach(agreement -> postponed.add(agreement.id()));
        for (int i = postponed.size(); i > 0; i--) {
            var id = postponed.remove();
            try {
                context.books().agreements().find(id).ifPresent(this::decideAgain);
            } catch (RuntimeException e) {
                postponed.add(id);
                LOG.warn("Agreement {} is decided later: {}", id, e.getMessage());
            }
        }
        return left.size();
    }

    private void decideAgain(Agreement agreement) {
        if (agreement.state() == AgreementState.PENDING) {
            context.underWay().awaitBegin();
            decideInBackground(agreement);
        } else if (agreement.state().isUndecided()) {
            context.changes().saveNewest(agreement.id(), AgreementState.REJECTED, "");
        }
    }

    private void decideInBackground(Agreement pending) {
        context.inBackground(() -> {
            try {
                if (!context.underWay().isDraining()) {
                    decide(pending);
                }
            } catch (StoreUnavailableException e) {
                LOG.warn("Agreement {} stays pending until the database answers: {}", pending.id(), e.getMessage());
                postponed.add(pending.id());
            } catch (RuntimeException e) {
                LOG.error("Agreement {} stays pending until the next start", pending.id(), e);
            }
        });
    }

    private CreationOutcome decide(Agreement pending) throws InterruptedException {
        return negotiator
                .make(pending.offer().alternatives())
                .fold(
                        allocated -> settlement.keep(pending, allocated, Optional.empty()),
                        declined -> settlement.decline(pending, declined.refusal()));
    }
}
