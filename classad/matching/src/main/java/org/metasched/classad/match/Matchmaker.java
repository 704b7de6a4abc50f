package org.metasched.classad.match;

import java.util.Collection;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * Introduces customers to offers (HPDC 1998): the constraints of both are true; of several offers the one the customer ranks
 * highest, of equals the one that ranks the customer highest, of equals the first. An offer that is claimed already is pre-empted
 * only for a customer it ranks above its {@code CurrentRank}. Stateless, thread-safe.
 */
public interface Matchmaker {

    /** The best available offer of a pool, which stays available. */
    Optional<Match> match(ClassAd customer, OfferPool pool);

    /** The best of some offers that are asked just once. */
    default Optional<Match> match(ClassAd customer, Collection<ClassAd> offers) {
        return match(customer, OfferPool.of(offers));
    }

    /** Every conjunct of both sides with its value. */
    Verdict explain(ClassAd customer, ClassAd offer);

    /** How many offers meet each conjunct, and what would let how many match. */
    PoolVerdict explain(ClassAd customer, OfferPool pool);
}
