package org.metasched.console;

import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;

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
        Optional<Advertisement> ad) {

    public boolean isUp() {
        return trouble.isEmpty();
    }

    public Optional<Long> currentMatches() {
        return whole("CurMatches");
    }

    public Optional<Long> mostMatches() {
        return whole("MaxMatches");
    }

    private Optional<Long> whole(String attribute) {
        return ad.flatMap(a -> a.ad().evaluate(attribute) instanceof Value.Int number
                ? Optional.of(number.value())
                : Optional.empty());
    }
}
