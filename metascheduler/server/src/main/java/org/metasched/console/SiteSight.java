package org.metasched.console;

import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;

/**
 * A site as it looks from here, now.
 *
 * @param trouble why it gave no answer, or nothing when it did
 * @param load what it says of itself, if it can
 * @param ad its newest ad, if it is advertised
 */
public record SiteSight(
        SiteId site,
        PreviewWindow preview,
        Optional<String> trouble,
        Optional<SiteLoad> load,
        Optional<Advertised.SiteAd> ad) {

    public boolean isUp() {
        return trouble.isEmpty();
    }

    public Optional<Long> currentMatches() {
        return ad.flatMap(Advertised.SiteAd::currentMatches);
    }

    public Optional<Long> mostMatches() {
        return ad.flatMap(Advertised.SiteAd::mostMatches);
    }
}
