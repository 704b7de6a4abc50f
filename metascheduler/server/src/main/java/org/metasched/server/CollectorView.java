package org.metasched.server;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.overview.AdvertisedAds;

/** The ads in a collector, as API, console, templates and metrics read them. Each call looks at all ads. */
record CollectorView(Collector collector) implements AdvertisedAds {

    /** The newest ads of sites, by the name in their attribute {@code Site}, or their own where they have none. */
    @Override
    public Map<String, SiteAd> newestBySite() {
        Map<String, SiteAd> sites = new HashMap<>();
        newest(collector.snapshot())
                .forEach((site, ad) -> sites.put(
                        site, new SiteAd(ad.received(), whole(ad.ad(), "CurMatches"), whole(ad.ad(), "MaxMatches"))));
        return sites;
    }

    /** The numbers of nodes that the sites advertise. */
    Map<SiteId, Integer> nodes(Collection<SiteId> sites) {
        Map<SiteId, Integer> nodes = new HashMap<>();
        loads(sites).forEach((site, load) -> {
            if (load.totalNodes() > 0) {
                nodes.put(site, load.totalNodes());
            }
        });
        return nodes;
    }

    /** The sum of the loads that the sites advertise. */
    SiteLoad load(Collection<SiteId> sites) {
        var loads = loads(sites).values();
        return new SiteLoad(
                sum(loads, SiteLoad::totalNodes),
                sum(loads, SiteLoad::freeNodes),
                sum(loads, SiteLoad::runningJobs),
                sum(loads, SiteLoad::queuedJobs));
    }

    private static int sum(Collection<SiteLoad> loads, ToIntFunction<SiteLoad> count) {
        return (int) Math.min(loads.stream().mapToInt(count).asLongStream().sum(), Need.MOST);
    }

    /** The load that each site advertises; sites without an ad are left out. */
    Map<SiteId, SiteLoad> loads(Collection<SiteId> sites) {
        Map<SiteId, SiteLoad> loads = new HashMap<>();
        var newest = newest(collector.candidates(CollectorQuery.all()));
        sites.forEach(site ->
                Optional.ofNullable(newest.get(site.value())).ifPresent(ad -> loads.put(site, load(ad.ad()))));
        return loads;
    }

    private static SiteLoad load(ClassAd ad) {
        return new SiteLoad(
                count(ad, "TotalNodes"), count(ad, "FreeNodes"), count(ad, "RunningJobs"), count(ad, "QueuedJobs"));
    }

    private static int count(ClassAd ad, String attribute) {
        return (int) Math.max(0, Math.min(whole(ad, attribute).orElse(0L), Need.MOST));
    }

    @Override
    public List<Ad> find(String type, String constraint, List<String> projection, int most) {
        CollectorQuery all = type.isEmpty() ? CollectorQuery.all() : CollectorQuery.ofType(type);
        CollectorQuery query = (constraint.isEmpty() ? all : all.where(expression(constraint))).selecting(projection);
        return collector.candidates(query).stream()
                .filter(ad -> query.accepts(ad.ad()))
                .limit(most)
                .map(ad -> new Ad(
                        ad.key().type(),
                        ad.key().name(),
                        query.projected(ad.ad()).print(Syntax.NEW),
                        ad.received(),
                        ad.expires()))
                .toList();
    }

    private static Expr expression(String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException("The constraint (" + text + ") is no expression: " + e.getMessage(), e);
        }
    }

    /** The newest ad of each site, by the name of the site. Ads without {@code MaxMatches}, as of machines and jobs, are no site's. */
    private static Map<String, Advertisement> newest(List<Advertisement> ads) {
        Map<String, Advertisement> newest = new HashMap<>();
        for (var ad : ads) {
            if (whole(ad.ad(), "MaxMatches").isPresent()) {
                newest.merge(siteOf(ad), ad, (a, b) -> a.received().isBefore(b.received()) ? b : a);
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
        return ad.ad().findString("Site").orElse(ad.key().name());
    }

    private static Optional<Long> whole(ClassAd ad, String attribute) {
        return ad.evaluate(attribute) instanceof Value.Int number ? Optional.of(number.value()) : Optional.empty();
    }
}
