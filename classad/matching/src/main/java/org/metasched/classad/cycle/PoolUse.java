package org.metasched.classad.cycle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.Advertisement;
import org.metasched.leases.Lease;

/**
 * Weight of a pool, and weight that each submitter uses, by leases and claimed offers.
 *
 * @param bySubmitter weight that each submitter uses; without those that use nothing
 * @param weight weight of all offers
 * @param leastWeight smallest weight of an offer; infinite if there is none
 */
record PoolUse(Map<String, Double> bySubmitter, double weight, double leastWeight) {

    /**
     * @param wanted number of matches that all requests want. An offer with {@code WantAdRevaluate} may be matched many times: it counts
     *     {@code MaxMatches} times, a negative number as 0, or, without this attribute, {@code wanted} times
     */
    static PoolUse of(List<Advertisement> offers, HeldMatches held, long wanted) {
        var bySubmitter = new HashMap<String, Double>();
        double weight = 0;
        double least = Double.POSITIVE_INFINITY;
        for (var offer : offers) {
            double each = OfferFacts.weight(offer.ad());
            least = Math.min(least, each);
            weight += each * matches(offer.ad(), wanted);
            Optional<String> payer = OfferFacts.payer(offer.ad());
            List<Lease> leases = payer.isPresent() ? held.pending(offer) : held.of(offer);
            leases.forEach(lease -> bySubmitter.merge(lease.owner(), each, Double::sum));
            if (leases.isEmpty()) {
                payer.ifPresent(submitter -> bySubmitter.merge(submitter, each, Double::sum));
            }
        }
        return new PoolUse(bySubmitter, weight, least);
    }

    private static double matches(ClassAd offer, long wanted) {
        return OfferFacts.wantsRevaluation(offer)
                ? Math.max(0, OfferFacts.number(offer, "MaxMatches").orElse((double) wanted))
                : 1;
    }
}
