package org.metasched.overview;

import java.time.Instant;
import java.util.Optional;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.OfferService;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/** Refused offers of the last week that a person may see, the newest first. */
public final class RefusedOffers {

    private RefusedOffers() {}

    /**
     * A page of the refused offers.
     *
     * @param before {@code next} of the page before; empty for the first page
     * @throws IllegalArgumentException when {@code before} is neither a number nor empty
     */
    public static ListPage<RefusedOffer, Long> seen(
            OfferService service, Authorizer guard, Authorizer.Call call, Instant now, String before, int most) {
        if (!before.matches("\\d{0,18}")) {
            throw new IllegalArgumentException("The place (" + before + ") where the page begins must be a number.");
        }
        return ListPage.of(
                Optional.of(before).filter(text -> !text.isEmpty()).map(Long::valueOf),
                most,
                Integer.MAX_VALUE,
                (from, limit) -> service.history().refused(now, from, limit),
                RefusedOffer::number,
                offer -> isShown(offer, guard, call));
    }

    private static boolean isShown(RefusedOffer offer, Authorizer guard, Authorizer.Call call) {
        return guard.shows(
                call.during("Agreement/GetResourceProperty"),
                ProtectedResource.agreement(offer.key().id(), offer.key().initiator()));
    }

    /** The refused offer of a number, if the person may see it. */
    public static Optional<RefusedOffer> find(
            OfferService service, Authorizer guard, Authorizer.Call call, Instant now, long number) {
        return service.history().refused(now, Optional.of(number + 1), 1).stream()
                .filter(offer -> offer.number() == number && isShown(offer, guard, call))
                .findFirst();
    }
}
