package org.metasched.classad.cycle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.Advertisement;
import org.metasched.leases.Lease;

/** Use of concurrency limits in one cycle. */
final class ConcurrencyUse {

    private final PoolRules rules;
    private final Map<String, Double> taken = new HashMap<>();

    private ConcurrencyUse(PoolRules rules) {
        this.rules = rules;
    }

    /** The use by the ads of claimed machines, or, if these do not show the claim, by the ads of their customers. */
    static ConcurrencyUse of(PoolRules rules, List<JobRequest> requests, List<Advertisement> offers, HeldMatches held) {
        var use = new ConcurrencyUse(rules);
        var unseen = new HashMap<>(held.byOffer());
        for (var offer : offers) {
            if (OfferFacts.payer(offer.ad()).isPresent()) {
                List<Lease> pending = held.pending(offer);
                unseen.put(Accountant.key(offer.key().name()), pending);
                if (pending.isEmpty()) {
                    use.take(offer.ad());
                }
            }
        }
        var customers = new HashMap<String, ClassAd>();
        requests.forEach(request -> customers.put(Accountant.key(request.name()), request.ad()));
        unseen.values().stream()
                .flatMap(List::stream)
                .flatMap(lease -> lease.customer().map(Accountant::key).map(customers::get).stream())
                .forEach(use::take);
        return use;
    }

    /** Adds the use of an ad. */
    void take(ClassAd ad) {
        rules.takes(ad).forEach((name, count) -> taken.merge(name, count, Double::sum));
    }

    /** Whether the limits leave room for one more request. */
    boolean admit(ClassAd request) {
        return rules.takes(request).entrySet().stream()
                .allMatch(need -> taken.getOrDefault(need.getKey(), 0.0) + need.getValue()
                        <= rules.limit(need.getKey()) + FairShare.TINY);
    }
}
