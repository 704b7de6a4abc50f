package org.metasched.classad.match;

import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/** The matchmaker over indexes: candidates as bits, ranks by group. */
public final class RankedMatchmaker implements Matchmaker {

    @Override
    public Optional<Match> match(ClassAd customer, OfferPool pool) {
        return new Autocluster(customer, pool).best(customer);
    }

    /** Every available offer that matches, best first. */
    public List<Match> matchAll(ClassAd customer, OfferPool pool) {
        return new Autocluster(customer, pool).all(customer);
    }

    @Override
    public Verdict explain(ClassAd customer, ClassAd offer) {
        return Explanation.of(customer, offer);
    }

    @Override
    public PoolVerdict explain(ClassAd customer, OfferPool pool) {
        return PoolExplanation.of(customer, pool);
    }
}
