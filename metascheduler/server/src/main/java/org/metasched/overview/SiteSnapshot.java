package org.metasched.overview;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;

/**
 * A site as it looks to this server now.
 *
 * @param trouble reason why it gave no answer; empty also while its last answer is less than a minute old
 * @param load nodes and jobs as the site reported them, now or within the last minute, if it does
 * @param ad its newest ad, if it is advertised
 * @param busy times in which few of its nodes are free, by quarters; empty if the site was not asked or lists no windows
 * @param free possible starts of a request, if the site was asked about one and lists its windows
 */
public record SiteSnapshot(
        SiteId site,
        PreviewWindow preview,
        Optional<String> trouble,
        Optional<SiteLoad> load,
        Optional<AdvertisedAds.SiteAd> ad,
        List<Busy> busy,
        Optional<List<StartInterval>> free) {

    /**
     * A time in which fewer than {@code quarter} quarters of the nodes are free at once.
     *
     * @param quarter number of quarters, from 1 to 4
     */
    public record Busy(int quarter, TimeSlot slot) {}

    public SiteSnapshot {
        busy = List.copyOf(busy);
    }

    public boolean isUp() {
        return trouble.isEmpty();
    }

    /** The site's load, if it tells its nodes. */
    public Optional<SiteLoad> nodes() {
        return load.filter(l -> l.totalNodes() > 0);
    }

    /** Why the site gave no answer, or its remarks beside its load. */
    public List<String> remarks() {
        return trouble.map(List::of).orElseGet(() -> load.map(SiteLoad::remarks).orElse(List.of()));
    }

    public Optional<Long> currentMatches() {
        return ad.flatMap(AdvertisedAds.SiteAd::currentMatches);
    }

    public Optional<Long> mostMatches() {
        return ad.flatMap(AdvertisedAds.SiteAd::mostMatches);
    }
}
