package org.metasched.soap;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.OfferHolds;

/**
 * The negotiations of a server. They bind neither side and live in memory: after a restart they are unknown, and what they held is given back.
 * Thread-safe.
 */
public final class Negotiations {

    private static final int MOST = 500;
    private static final Duration USUAL = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private final OfferHolds holds;
    private final Clock clock;
    private final Map<String, OfferTree> trees = new ConcurrentHashMap<>();

    public Negotiations(OfferHolds holds, Clock clock) {
        this.holds = holds;
        this.clock = clock;
    }

    OfferHolds holds() {
        return holds;
    }

    /** @return nothing when there are too many */
    Optional<OfferTree> open(
            String owner, String context, Optional<AgreementId> renegotiated, Optional<Instant> expiration) {
        if (trees.size() >= MOST) {
            return Optional.empty();
        }
        var now = clock.instant();
        var until = expiration.filter(e -> e.isBefore(now.plus(LONGEST))).orElse(now.plus(USUAL));
        var tree =
                new OfferTree("ng-" + AgreementId.random().value().substring(3), owner, context, renegotiated, until);
        trees.put(tree.id(), tree);
        return Optional.of(tree);
    }

    /** One that has not ended. */
    Optional<OfferTree> find(String id) {
        return Optional.ofNullable(trees.get(id)).filter(this::lasts);
    }

    /** The one that an offer is part of. {@code O(n)}. */
    Optional<OfferTree> withOffer(String offer) {
        return trees.values().stream()
                .filter(this::lasts)
                .filter(t -> t.find(offer).isPresent())
                .findFirst();
    }

    /** Ends one, with all that it holds. */
    void end(OfferTree tree) throws InterruptedException {
        trees.remove(tree.id());
        for (var offer : tree.offers().values()) {
            holds.release(offer.id());
        }
    }

    /** Ends those whose time has come, and gives back what was held long enough; to be called from time to time. */
    public void expire() throws InterruptedException {
        for (var tree : trees.values()) {
            if (!lasts(tree)) {
                end(tree);
            }
        }
        holds.expire();
    }

    private boolean lasts(OfferTree tree) {
        return tree.until().isAfter(clock.instant());
    }
}
