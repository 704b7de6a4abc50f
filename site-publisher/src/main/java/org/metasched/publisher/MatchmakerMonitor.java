package org.metasched.publisher;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.Query;
import org.metasched.classad.collector.Receipt;

/**
 * The matchmaker monitor of 2003: a collector whose site ads always show the ledger's {@code CurMatches}. It rises at the
 * moment a match is taken and falls when one is given back, whatever the site itself last advertised.
 *
 * <p>A site ad is one with an integer {@code MaxMatches}; all others pass through untouched. Thread-safe.
 */
public final class MatchmakerMonitor implements Collector, SiteMatches {

    /** What the holder of an introduction begins with; the name of the customer's ad follows. */
    public static final String INTRODUCED = "introduced:";

    private static final String CURRENT = "CurMatches";
    private static final String MOST = "MaxMatches";

    private final Collector collector;
    private final Claims claims;

    public MatchmakerMonitor(Collector collector, Claims claims) {
        this.collector = collector;
        this.claims = claims;
    }

    @Override
    public Receipt advertise(ClassAd ad) {
        return collector.advertise(ad);
    }

    /** A job that is withdrawn gives back what it was introduced to. */
    @Override
    public boolean invalidate(AdKey key) {
        boolean wasThere = collector.invalidate(key);
        if (wasThere && key.type().equalsIgnoreCase("Job")) {
            claims.held().stream()
                    .filter(match -> match.holder().equalsIgnoreCase(INTRODUCED + key.name()))
                    .forEach(match -> claims.release(match.id()));
        }
        return wasThere;
    }

    @Override
    public int invalidate(Query query) {
        return collector.invalidate(query);
    }

    /** The constraint is evaluated with the counts of one moment, so that {@code CurMatches < MaxMatches} means what it says. */
    @Override
    public List<ClassAd> query(Query query) {
        var counts = new Counts();
        return collector.candidates(query.without(CURRENT)).stream()
                .map(found -> counts.in(found.ad()))
                .filter(query::accepts)
                .limit(query.limit())
                .map(query::projected)
                .toList();
    }

    @Override
    public List<Advertisement> candidates(Query query) {
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

    @Override
    public Optional<UUID> take(String site, String holder, int nodes) {
        return take(site, holder, nodes, "?");
    }

    @Override
    public Optional<UUID> take(String site, String holder, int nodes, String owner) {
        ClassAd ad = collector.query(Query.all().named(site)).stream()
                .filter(found -> most(found).isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No ad of a site (" + site
                        + ") with an integer MaxMatches is known.\nMaybe it has aged out: see metasched status."));
        var unit = MatchUnit.of(ad);
        int counted = unit == MatchUnit.JOB ? claims.count(site) : 0;
        int bound = unit.bound(most(ad).orElseThrow(), unit.current(ad, site, counted, claims::held), counted);
        var claimant = Claims.Claimant.elsewhere(owner);
        return claims.take(new Claims.Want(UUID.randomUUID(), site, holder, claimant, unit.matches(nodes)), bound)
                .map(HeldMatch::id);
    }

    @Override
    public boolean settle(UUID match, boolean keep) {
        return keep ? claims.confirm(match) : claims.release(match);
    }

    @Override
    public boolean renew(UUID match) {
        return claims.renew(match);
    }

    private static Optional<Long> most(ClassAd ad) {
        return ad.evaluate(MOST) instanceof Value.Int most ? Optional.of(most.value()) : Optional.empty();
    }

    /** The counts of one moment, in ads. */
    private final class Counts {
        private final Map<String, Integer> all = claims.counts();
        private List<HeldMatch> held = List.of();
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
            return ad.with(CURRENT, MatchUnit.of(ad).current(ad, name.text(), counted, this::held));
        }

        private List<HeldMatch> held() {
            if (!isRead) {
                held = claims.held();
                isRead = true;
            }
            return held;
        }
    }
}
