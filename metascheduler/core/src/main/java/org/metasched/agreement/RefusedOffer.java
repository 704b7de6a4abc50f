package org.metasched.agreement;

import java.time.Instant;
import java.util.Optional;

/**
 * An offer that was refused.
 *
 * @param number rises with each one
 * @param request the first alternative; nothing if it was too long to be kept
 */
public record RefusedOffer(
        long number, Instant at, OfferKey key, RefusalCode code, String reason, Optional<AgreementRequest> request) {}
