package org.metasched.agreement.making;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Refused;

/** Plans offers without reserving anything: the best ways to grant one, or the nearest requests that would be granted. Thread-safe. */
final class OfferPlanner {

    /** Most plans at the same time: each may ask every site many times. */
    private static final int MOST_AT_ONCE = 8;

    private final OfferCheck check;
    private final OfferNegotiator negotiator;
    private final Clock clock;
    private final Semaphore free = new Semaphore(MOST_AT_ONCE);

    OfferPlanner(OfferCheck check, OfferNegotiator negotiator, Clock clock) {
        this.check = check;
        this.negotiator = negotiator;
        this.clock = clock;
    }

    /**
     * Plans an offer.
     *
     * @param most greatest number of ways
     * @param nearest whether to search similar requests if it would be refused
     */
    OfferAdvice plan(AgreementOffer offer, int most, boolean nearest) throws InterruptedException {
        var objection = check.objection(offer);
        if (objection.isPresent()) {
            return OfferAdvice.no(objection.get());
        }
        if (!free.tryAcquire()) {
            return OfferAdvice.no(
                    new Refused(RefusalCode.BUSY, "The server plans " + MOST_AT_ONCE + " offers already; ask later."));
        }
        try {
            var now = negotiator.ofNow();
            var advice = now.advice(check.possible(offer).alternatives(), most, true);
            return nearest && advice.ways().isEmpty() ? withNearest(offer, advice, now) : advice;
        } finally {
            free.release();
        }
    }

    private OfferAdvice withNearest(AgreementOffer offer, OfferAdvice advice, OfferNegotiator now)
            throws InterruptedException {
        // All alternatives: requests near those that are too late may be granted.
        var nearest = new NearestRequests(now, clock).search(offer.alternatives());
        return new OfferAdvice(advice.code(), List.of(), advice.proven(), advice.reason(), nearest);
    }
}
