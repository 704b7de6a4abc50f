package org.metasched.console;

import java.util.Optional;
import org.metasched.agreement.RefusedOffer;

/**
 * A refused offer.
 *
 * @param now plans of the offer now, or the nearest requests that would be granted; nothing without alternatives
 */
record RefusedOfferModel(RefusedOffer offer, Optional<AdviceModel> now) {}
