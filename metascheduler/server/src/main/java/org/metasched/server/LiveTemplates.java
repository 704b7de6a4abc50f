package org.metasched.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.soap.CoAllocationTemplate;

/** The template over all sites, with the sizes that their ads tell: looked at every few seconds, made anew when one changed. Thread-safe. */
final class LiveTemplates implements Supplier<List<AgreementTemplate>> {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final List<SiteId> sites;
    private final CollectorView ads;
    private final Clock clock;
    private volatile Made made;

    private record Made(Instant looked, Map<SiteId, Integer> nodes, List<AgreementTemplate> templates) {}

    LiveTemplates(List<SiteId> sites, CollectorView ads, Clock clock) {
        this.sites = List.copyOf(sites);
        this.ads = ads;
        this.clock = clock;
        this.made = make(clock.instant(), ads.nodes(sites));
    }

    @Override
    public List<AgreementTemplate> get() {
        var known = made;
        var now = clock.instant();
        if (!now.isBefore(known.looked.plus(FRESH))) {
            var nodes = ads.nodes(sites);
            known = nodes.equals(known.nodes) ? new Made(now, nodes, known.templates) : make(now, nodes);
            made = known;
        }
        return known.templates;
    }

    private Made make(Instant now, Map<SiteId, Integer> nodes) {
        return new Made(now, nodes, List.of(CoAllocationTemplate.of(sites, nodes)));
    }
}
