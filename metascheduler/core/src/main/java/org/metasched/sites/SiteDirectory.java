package org.metasched.sites;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.SiteId;

/** The configured sites, by name. Thread-safe; a lookup never asks a site. */
public interface SiteDirectory {

    /** The schedulers of the sites in the order of the configuration; unmodifiable. */
    Map<SiteId, LocalScheduler> bySite();

    /** The sites in the order of the configuration. */
    default List<SiteId> sites() {
        return List.copyOf(bySite().keySet());
    }

    /** The scheduler of a site; empty if no such site is configured. */
    default Optional<LocalScheduler> find(SiteId site) {
        return Optional.ofNullable(bySite().get(site));
    }

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
        return () -> Collections.unmodifiableMap(bySite);
    }
}
