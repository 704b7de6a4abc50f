package org.metasched.publisher;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
 * The matchmaker monitor of 2003: a collector whose site ads always show the {@code CurMatches} of a store of leases. It rises at the
 * moment a match is acquired and falls when one is released, whatever the site itself last advertised.
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

    /** Withdraws an ad; that of a job releases what the job was introduced to. */
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

    /** The constraint is evaluated with the counts of one moment, so that {@code CurMatches < MaxMatches} means what it says. */
    @Override
    public List<ClassAd> query(CollectorQuery query) {
        var counts = new Counts();
        return collector.candidates(query.without(CURRENT)).stream()
                .map(found -> counts.in(found.ad()))
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
        return collector.find(key).map(found -> found.ad().has(MOST) ? new Counts().in(found) : found);
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
                .filter(found -> found.evaluate(MOST) instanceof Value.Int)
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
     * Renews what customers that are advertised hold, and releases what others left; how many. An introduction that is not committed
     * lapses by itself.
     */
    public int renewIntroduced(Instant now) {
        int left = 0;
        for (Lease lease : leases.held()) {
            Optional<String> customer = lease.customer().filter(name -> lease.committed());
            if (customer.isEmpty()) {
                continue;
            }
            if (collector.find(new AdKey("Job", customer.get())).isPresent()) {
                leases.renew(lease.id());
            } else if (lease.leaseEnd().isBefore(now) && leases.release(lease.id())) {
                left++;
            }
        }
        return left;
    }

    /** The counts of one moment, in ads. */
    private final class Counts {
        private final Map<String, Integer> all = leases.counts();
        private List<Lease> held = List.of();
        private boolean isRead;

        private Advertisement in(Advertisement found) {
            ClassAd ad = in(found.ad());
            return ad == found.ad()
                    ? found
                    : new Advertisement(
                            found.key(), ad, found.privateAd(), found.sequence(), found.received(), found.expires());
        }

        private ClassAd in(ClassAd ad) {
            if (!ad.has(MOST) || !(ad.evaluate("Name") instanceof Value.Text name)) {
                return ad;
            }
            int counted = all.getOrDefault(name.text().toLowerCase(Locale.ROOT), 0);
            return ad.with(CURRENT, MatchRoom.current(ad, name.text(), counted, this::held));
        }

        private List<Lease> held() {
            if (!isRead) {
                held = leases.held();
                isRead = true;
            }
            return held;
        }
    }
}
