package org.metasched.classad.match;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * The matchmaker of the HPDC 1998 paper: introduces a customer to an offer if the constraints of both are true. Of several offers it takes
 * that with the customer's highest rank, then that with the highest rank of the customer, then the first. An offer that is claimed already
 * is pre-empted only for a customer that it ranks above its {@code CurrentRank}. Stateless, thread-safe.
 */
public final class RankedMatchmaker {

    /** The best available offer of a pool, which stays available. */
    public Optional<Match> match(ClassAd customer, OfferPool pool) {
        return new Autocluster(customer, pool).best(customer);
    }

    /** The best of some offers that are used just once. */
    public Optional<Match> match(ClassAd customer, Collection<ClassAd> offers) {
        return match(customer, OfferPool.of(offers));
    }

    /** Every available offer that matches, best first. */
    public List<Match> matchAll(ClassAd customer, OfferPool pool) {
        return new Autocluster(customer, pool).all(customer);
    }

    /** Every conjunct of both sides with its value. */
    public Verdict explain(ClassAd customer, ClassAd offer) {
        return Explanation.of(customer, offer);
    }

    /** Number of offers that meet each conjunct, and weaker conjuncts with the number of offers that would match. */
    public PoolVerdict explain(ClassAd customer, OfferPool pool) {
        return PoolExplanation.of(customer, pool);
    }
}
