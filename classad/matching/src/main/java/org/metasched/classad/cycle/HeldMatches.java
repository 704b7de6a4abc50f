package org.metasched.classad.cycle;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.classad.collector.Advertisement;
import org.metasched.leases.Lease;

/**
 * The leases that are held at the beginning of a cycle.
 *
 * @param byOffer the leases by the {@linkplain Accountant#key keys} of the offers' names
 */
record HeldMatches(Map<String, List<Lease>> byOffer) {

    static HeldMatches of(List<Lease> held) {
        return new HeldMatches(held.stream().collect(Collectors.groupingBy(lease -> Accountant.key(lease.site()))));
    }

    List<Lease> of(Advertisement offer) {
        return byOffer.getOrDefault(Accountant.key(offer.key().name()), List.of());
    }

    /**
     * The leases of customers that have the only match of an offer, though its ad may show another one: they are not committed, or not older
     * than the ad. Empty with {@code MaxMatches}. Stores keep milliseconds.
     */
    List<Lease> pending(Advertisement offer) {
        return of(offer).stream()
                .filter(lease ->
                        !offer.ad().has("MaxMatches") && lease.customer().isPresent())
                .filter(lease -> !lease.committed()
                        || !lease.taken().isBefore(offer.received().truncatedTo(ChronoUnit.MILLIS)))
                .toList();
    }
}
