package org.metasched.claims;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.cycle.JobRequest;
import org.metasched.classad.cycle.Taking;
import org.metasched.publisher.Claims;
import org.metasched.publisher.Claims.Claimant;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchmakerMonitor;

/**
 * What the matchmaking cycle introduces, claimed in the one count at the moment of the match. An introduction that is not confirmed
 * within the lease gives its match back. A confirmed one holds it for as long as the customer's ad is advertised; when that is gone,
 * for one lease more; the monitor gives it back at once if the ad is withdrawn. Thread-safe.
 */
public final class IntroducedMatches implements Taking {

    private final Claims claims;
    private final Collector collector;

    /** @param collector with the ads of the customers */
    public IntroducedMatches(Claims claims, Collector collector) {
        this.claims = claims;
        this.collector = collector;
    }

    /** An offer with MaxMatches has so many; any other has one, or the one of the customer that is to go. */
    @Override
    public Optional<UUID> take(JobRequest request, ClassAd offer, boolean preempts) {
        int most = preempts && !offer.has("MaxMatches") ? Integer.MAX_VALUE : most(offer);
        String site = AdKey.of(offer).name();
        return claims.take(site, most, holderOf(request.name()), Claimant.elsewhere(request.submitter()))
                .map(HeldMatch::id);
    }

    @Override
    public List<Held> held() {
        return claims.held().stream()
                .map(match ->
                        new Held(match.site(), match.owner(), customer(match).orElse("")))
                .toList();
    }

    /** How many matches an offer has. */
    public static int most(ClassAd offer) {
        return offer.has("MaxMatches") && offer.evaluate("MaxMatches") instanceof Value.Int value
                ? (int) Math.max(0, Math.min(Integer.MAX_VALUE, value.value()))
                : 1;
    }

    /** What holds the match of a customer with an ad. */
    public static String holderOf(String customer) {
        return MatchmakerMonitor.INTRODUCED + customer;
    }

    /** The name of the customer's ad, if a claim is one of a customer, and no DAG's. */
    public static Optional<String> customer(HeldMatch match) {
        return Optional.of(match.holder())
                .filter(holder -> holder.startsWith(MatchmakerMonitor.INTRODUCED))
                .map(holder -> holder.substring(MatchmakerMonitor.INTRODUCED.length()));
    }

    /** Renews what customers that are advertised hold, and gives back what others left; how many. */
    public int settle(Instant now) {
        int left = 0;
        for (HeldMatch match : claims.held()) {
            Optional<String> customer = customer(match).filter(name -> match.confirmed());
            if (customer.isEmpty()) {
                continue;
            }
            if (collector.find(new AdKey("Job", customer.get())).isPresent()) {
                claims.renew(match.id());
            } else if (match.leaseEnd().isBefore(now) && claims.release(match.id())) {
                left++;
            }
        }
        return left;
    }
}
