package org.metasched.agreement;

import java.time.Instant;
import java.util.List;

/**
 * An offer that was refused.
 *
 * @param number higher than that of any earlier refused offer
 * @param alternatives requests of the offer; none if they were too long to be kept
 */
public record RefusedOffer(
        long number, Instant at, OfferKey key, RefusalCode code, String reason, List<AgreementRequest> alternatives) {

    public RefusedOffer {
        alternatives = List.copyOf(alternatives);
    }
}
