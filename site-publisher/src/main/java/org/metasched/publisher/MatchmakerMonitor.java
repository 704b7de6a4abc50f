package org.metasched.publisher;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
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
        Map<String, Integer> counts = claims.counts();
        return collector.query(query.onKeys()).stream()
                .map(ad -> counted(ad, counts))
                .filter(query::accepts)
                .map(query::projected)
                .limit(query.limit())
                .toList();
    }

    @Override
    public Optional<Advertisement> find(AdKey key) {
        return collector.find(key).map(found -> found.ad().has(MOST) ? counted(found, claims.counts()) : found);
    }

    @Override
    public List<Advertisement> snapshot() {
        Map<String, Integer> counts = claims.counts();
        return collector.snapshot().stream()
                .map(found -> counted(found, counts))
                .toList();
    }

    @Override
    public Optional<UUID> take(String site, String holder) {
        return claims.take(site, maxMatches(site), holder, Claims.Claimant.elsewhere("?"))
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

    private int maxMatches(String site) {
        return collector.query(Query.all().named(site)).stream()
                .flatMap(ad -> most(ad).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No ad of a site (" + site
                        + ") with an integer MaxMatches is known.\nMaybe it has aged out: see metasched status."));
    }

    private static Optional<Integer> most(ClassAd ad) {
        return ad.evaluate(MOST) instanceof Value.Int most
                ? Optional.of((int) Math.max(0, Math.min(Integer.MAX_VALUE, most.value())))
                : Optional.empty();
    }

    private static Advertisement counted(Advertisement found, Map<String, Integer> counts) {
        ClassAd ad = counted(found.ad(), counts);
        return ad == found.ad()
                ? found
                : new Advertisement(
                        found.key(), ad, found.privateAd(), found.sequence(), found.received(), found.expires());
    }

    private static ClassAd counted(ClassAd ad, Map<String, Integer> counts) {
        Optional<Expr> most = ad.lookup(MOST);
        if (most.isEmpty() || !(ad.evaluate("Name") instanceof Value.Text name)) {
            return ad;
        }
        return ad.with(CURRENT, (long) counts.getOrDefault(name.text().toLowerCase(Locale.ROOT), 0));
    }
}
