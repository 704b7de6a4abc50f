package org.metasched.agreement;

import java.time.Instant;
import java.util.List;

/**
 * An offer that was refused.
 *
 * @param number rises with each one
 * @param alternatives none if they were too long to be kept
 */
public record RefusedOffer(
        long number, Instant at, OfferKey key, RefusalCode code, String reason, List<AgreementRequest> alternatives) {

    public RefusedOffer {
        alternatives = List.copyOf(alternatives);
    }
}
