package org.metasched.console;

import java.util.Optional;
import org.metasched.agreement.RefusedOffer;

/**
 * A refused offer, and its advice by what is free now.
 *
 * @param now plans of the offer now, or the nearest requests that would be granted; empty for an offer without alternatives
 */
record RefusedOfferModel(RefusedOffer offer, Optional<AdviceModel> now) {}
