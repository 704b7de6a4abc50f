package org.metasched.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.soap.CoAllocationTemplate;

/**
 * The templates on offer: first that over all sites, then those that an operator wrote. The first is made anew when the sizes in the ads
 * of sites have changed, which is checked at most every five seconds, when they are read. Thread-safe.
 */
final class LiveTemplates implements Supplier<List<AgreementTemplate>> {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final List<SiteId> sites;
    private final CollectorView ads;
    private final Supplier<List<AgreementTemplate>> written;
    private final Clock clock;
    private volatile Snapshot current;

    private record Snapshot(
            Instant at,
            Map<SiteId, Integer> nodes,
            List<AgreementTemplate> written,
            List<AgreementTemplate> templates) {}

    LiveTemplates(List<SiteId> sites, CollectorView ads, Supplier<List<AgreementTemplate>> written, Clock clock) {
        this.sites = List.copyOf(sites);
        this.ads = ads;
        this.written = written;
        this.clock = clock;
        this.current = make(clock.instant(), ads.nodes(sites));
    }

    @Override
    public List<AgreementTemplate> get() {
        var known = current;
        var now = clock.instant();
        // The reader returns the same list as long as no file has changed.
        boolean isSame = written.get() == known.written;
        if (!isSame || !now.isBefore(known.at.plus(FRESH))) {
            var nodes = ads.nodes(sites);
            known = isSame && nodes.equals(known.nodes)
                    ? new Snapshot(now, nodes, known.written, known.templates)
                    : make(now, nodes);
            current = known;
        }
        return known.templates;
    }

    private Snapshot make(Instant now, Map<SiteId, Integer> nodes) {
        var operators = written.get();
        var all = Stream.concat(Stream.of(CoAllocationTemplate.of(sites, nodes)), operators.stream());
        return new Snapshot(now, nodes, operators, all.toList());
    }
}
