package org.metasched.publisher;

import java.util.List;
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

    private static final String CURRENT = "CurMatches";
    private static final String MOST = "MaxMatches";

    private final Collector collector;
    private final MatchLedger ledger;

    public MatchmakerMonitor(Collector collector, MatchLedger ledger) {
        this.collector = collector;
        this.ledger = ledger;
    }

    @Override
    public Receipt advertise(ClassAd ad) {
        return collector.advertise(ad);
    }

    @Override
    public boolean invalidate(AdKey key) {
        return collector.invalidate(key);
    }

    @Override
    public int invalidate(Query query) {
        return collector.invalidate(query);
    }

    /** The constraint is evaluated with the current count, so that {@code CurMatches < MaxMatches} means what it says. */
    @Override
    public List<ClassAd> query(Query query) {
        var everything = new Query(query.type(), Query.all().constraint(), List.of(), Integer.MAX_VALUE);
        return collector.query(everything).stream()
                .map(this::counted)
                .filter(query::accepts)
                .map(query::projected)
                .limit(query.limit())
                .toList();
    }

    @Override
    public Optional<Advertisement> find(AdKey key) {
        return collector.find(key).map(this::counted);
    }

    @Override
    public List<Advertisement> snapshot() {
        return collector.snapshot().stream().map(this::counted).toList();
    }

    @Override
    public Optional<UUID> take(String site, String holder) {
        return ledger.take(site, maxMatches(site), holder).map(HeldMatch::id);
    }

    @Override
    public boolean settle(UUID match, boolean keep) {
        if (!keep) {
            return ledger.release(match);
        }
        var held = ledger.find(match);
        held.ifPresent(ledger::confirm);
        return held.isPresent();
    }

    private int maxMatches(String site) {
        return collector.snapshot().stream()
                .filter(found -> found.key().name().equalsIgnoreCase(site))
                .flatMap(found -> most(found.ad()).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No ad of a site (" + site
                        + ") with an integer MaxMatches is known.\nMaybe it has aged out: see metasched status."));
    }

    private static Optional<Integer> most(ClassAd ad) {
        return ad.evaluate(MOST) instanceof Value.Int most
                ? Optional.of((int) Math.max(0, Math.min(Integer.MAX_VALUE, most.value())))
                : Optional.empty();
    }

    private Advertisement counted(Advertisement found) {
        ClassAd ad = counted(found.ad());
        return ad == found.ad()
                ? found
                : new Advertisement(
                        found.key(), ad, found.privateAd(), found.sequence(), found.received(), found.expires());
    }

    private ClassAd counted(ClassAd ad) {
        Optional<Expr> most = ad.lookup(MOST);
        if (most.isEmpty() || !(ad.evaluate("Name") instanceof Value.Text name)) {
            return ad;
        }
        return ad.with(CURRENT, (long) ledger.count(name.text()));
    }
}
