package org.metasched.sites;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.SiteId;

/** The configured sites, by name. Thread-safe; a lookup never asks a site. */
public interface SiteDirectory {

    /** The sites in the order of the configuration. */
    List<SiteId> sites();

    /** The scheduler of a site; empty if no such site is configured. */
    Optional<LocalScheduler> find(SiteId site);

    /**
     * The scheduler of a site.
     *
     * @throws UnknownSiteException when no such site is configured
     */
    default LocalScheduler get(SiteId site) {
        return find(site).orElseThrow(() -> new UnknownSiteException(site, sites()));
    }

    /** A directory that does not change. */
    static SiteDirectory of(Collection<? extends LocalScheduler> schedulers) {
        Map<SiteId, LocalScheduler> bySite = new LinkedHashMap<>();
        for (var scheduler : schedulers) {
            if (bySite.putIfAbsent(scheduler.site(), scheduler) != null) {
                throw new IllegalArgumentException("The site (" + scheduler.site() + ") is configured twice.");
            }
        }
        return new SiteDirectory() {
            @Override
            public List<SiteId> sites() {
                return List.copyOf(bySite.keySet());
            }

            @Override
            public Optional<LocalScheduler> find(SiteId site) {
                return Optional.ofNullable(bySite.get(site));
            }
        };
    }
}
