package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.Advertisement;
import org.metasched.leases.Lease;

/** Weight of a pool, and what each submitter uses of it, as leases and claimed offers say. */
final class PoolUse {

    private final Map<String, Double> bySubmitter = new HashMap<>();
    private double weight;
    private double leastWeight = Double.POSITIVE_INFINITY;

    /** @param wanted matches by all requests: so many has an offer that is evaluated anew and names no number */
    void count(List<Advertisement> offers, List<Lease> held, long wanted) {
        var heldByOffer = new HashMap<String, List<String>>();
        for (var lease : held) {
            heldByOffer
                    .computeIfAbsent(PoolMarket.key(lease.site()), offer -> new ArrayList<>())
                    .add(lease.owner());
        }
        for (var offer : offers) {
            weigh(
                    offer.ad(),
                    heldByOffer.getOrDefault(PoolMarket.key(offer.key().name()), List.of()),
                    wanted);
        }
    }

    private void weigh(ClassAd offer, List<String> claimants, long wanted) {
        double each = OfferFacts.weight(offer);
        leastWeight = Math.min(leastWeight, each);
        weight += each
                * (OfferFacts.wantsRevaluation(offer)
                        ? OfferFacts.number(offer, "MaxMatches").orElse((double) wanted)
                        : 1);
        Optional<String> payer = OfferFacts.payer(offer);
        if (payer.isPresent()) {
            bySubmitter.merge(payer.get(), each, Double::sum);
        } else {
            claimants.forEach(submitter -> bySubmitter.merge(submitter, each, Double::sum));
        }
    }

    Map<String, Double> bySubmitter() {
        return bySubmitter;
    }

    double weight() {
        return weight;
    }

    double leastWeight() {
        return leastWeight;
    }
}
