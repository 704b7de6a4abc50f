package org.metasched.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.console.Advertised;

/** A collector as the console sees it. Each call looks at all ads. */
final class CollectorView implements Advertised {

    private final Collector collector;

    CollectorView(Collector collector) {
        this.collector = collector;
    }

    /** By the name in their attribute {@code Site}, or their own where they have none. */
    @Override
    public Map<String, SiteAd> newestBySite() {
        Map<String, SiteAd> newest = new HashMap<>();
        for (var ad : collector.snapshot()) {
            Optional<Long> most = whole(ad.ad(), "MaxMatches");
            if (most.isPresent()) {
                var seen = new SiteAd(ad.received(), whole(ad.ad(), "CurMatches"), most);
                newest.merge(siteOf(ad), seen, (a, b) -> a.received().isBefore(b.received()) ? b : a);
            }
        }
        return newest;
    }

    @Override
    public Map<String, Long> countByType() {
        return collector.snapshot().stream()
                .collect(Collectors.groupingBy(ad -> ad.key().type(), TreeMap::new, Collectors.counting()));
    }

    private static String siteOf(Advertisement ad) {
        return ad.ad().evaluate("Site") instanceof Value.Text text
                ? text.text()
                : ad.key().name();
    }

    private static Optional<Long> whole(ClassAd ad, String attribute) {
        return ad.evaluate(attribute) instanceof Value.Int number ? Optional.of(number.value()) : Optional.empty();
    }
}
