package org.metasched.publisher;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchRoom;

/**
 * The matchmaker monitor of 2003: a collector whose site ads show the {@code CurMatches} of a store of leases. The count rises when a match
 * is acquired and falls when one is released, without a new ad of the site.
 *
 * <p>A site ad is one with an integer {@code MaxMatches}; all others pass through untouched. Thread-safe.
 */
public final class MatchmakerMonitor implements Collector, LeaseStore {

    private static final String CURRENT = "CurMatches";
    private static final String MOST = "MaxMatches";

    private final Collector collector;
    private final LeaseStore leases;

    public MatchmakerMonitor(Collector collector, LeaseStore leases) {
        this.collector = collector;
        this.leases = leases;
    }

    @Override
    public AdvertiseReceipt advertise(ClassAd ad) {
        return collector.advertise(ad);
    }

    /** Withdraws an ad. With the ad of a job, the matches to which the job was introduced are released. */
    @Override
    public boolean invalidate(AdKey key) {
        boolean wasThere = collector.invalidate(key);
        if (wasThere && key.type().equalsIgnoreCase("Job")) {
            leases.held().stream()
                    .filter(lease -> lease.holder().equalsIgnoreCase(Lease.INTRODUCED + key.name()))
                    .forEach(lease -> leases.release(lease.id()));
        }
        return wasThere;
    }

    @Override
    public int invalidate(CollectorQuery query) {
        return collector.invalidate(query);
    }

    /** The constraint is evaluated with the counts of one moment, so that {@code CurMatches < MaxMatches} holds for them. */
    @Override
    public List<ClassAd> query(CollectorQuery query) {
        var counts = new Counts();
        return collector.candidates(query.supersetWithout(CURRENT)).stream()
                .map(known -> counts.in(known.ad()))
                .filter(query::accepts)
                .limit(query.limit())
                .map(query::projected)
                .toList();
    }

    @Override
    public List<Advertisement> candidates(CollectorQuery query) {
        return collector.candidates(query);
    }

    @Override
    public Optional<Advertisement> find(AdKey key) {
        return collector.find(key).map(known -> known.ad().has(MOST) ? new Counts().in(known) : known);
    }

    @Override
    public List<Advertisement> snapshot() {
        var counts = new Counts();
        return collector.snapshot().stream().map(counts::in).toList();
    }

    /** @throws IllegalArgumentException when no ad of that site is known */
    @Override
    public Optional<UUID> acquire(LeaseRequest request) {
        ClassAd ad = collector.query(CollectorQuery.all().named(request.site())).stream()
                .filter(known -> known.evaluate(MOST) instanceof Value.Int)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No ad of a site (" + request.site()
                        + ") with an integer MaxMatches is known.\nMaybe it has aged out: see metasched status."));
        return leases.acquire(request.within(MatchRoom.of(ad)));
    }

    @Override
    public boolean renew(UUID lease) {
        return leases.renew(lease);
    }

    @Override
    public boolean commit(UUID lease) {
        return leases.commit(lease);
    }

    @Override
    public boolean release(UUID lease) {
        return leases.release(lease);
    }

    @Override
    public List<Lease> held() {
        return leases.held();
    }

    @Override
    public Optional<Lease> find(UUID id) {
        return leases.find(id);
    }

    @Override
    public Map<String, Integer> counts() {
        return leases.counts();
    }

    /**
     * Renews the committed leases of customers that are advertised, and releases those of others once they have ended. An introduction
     * that is not committed lapses by itself.
     *
     * @return number of leases that were released
     */
    public int renewIntroduced(Instant now) {
        int released = 0;
        for (Lease lease : leases.held()) {
            Optional<String> customer = lease.customer().filter(name -> lease.committed());
            if (customer.isEmpty()) {
                continue;
            }
            if (collector.find(new AdKey("Job", customer.get())).isPresent()) {
                leases.renew(lease.id());
            } else if (lease.leaseEnd().isBefore(now) && leases.release(lease.id())) {
                released++;
            }
        }
        return released;
    }

    /** Puts the counts of one moment into ads. */
    private final class Counts {
        private final Map<String, Integer> all = leases.counts();
        private @Nullable List<Lease> held;

        private Advertisement in(Advertisement known) {
            ClassAd ad = in(known.ad());
            return ad == known.ad()
                    ? known
                    : new Advertisement(
                            known.key(), ad, known.privateAd(), known.sequence(), known.received(), known.expires());
        }

        private ClassAd in(ClassAd ad) {
            if (!ad.has(MOST) || !(ad.evaluate("Name") instanceof Value.Text name)) {
                return ad;
            }
            int counted = all.getOrDefault(name.text().toLowerCase(Locale.ROOT), 0);
            return ad.with(CURRENT, MatchRoom.current(ad, name.text(), counted, this::held));
        }

        private List<Lease> held() {
            List<Lease> known = held == null ? leases.held() : held;
            held = known;
            return known;
        }
    }
}
