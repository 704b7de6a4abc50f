package org.metasched.overview;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ads that are advertised now, for console and API. The package {@code server} implements it. Thread-safe. */
public interface AdvertisedAds {

    /**
     * The newest ad of a site.
     *
     * @param received time of arrival
     * @param currentMatches matches that are taken
     * @param mostMatches matches that the site allows
     */
    record SiteAd(Instant received, Optional<Long> currentMatches, Optional<Long> mostMatches) {}

    /**
     * An ad as it stands in the collector.
     *
     * @param text its public part
     */
    record Ad(String type, String name, String text, Instant received, Instant expires) {}

    /**
     * Ads by type and name.
     *
     * @param type empty for all
     * @param constraint a ClassAd expression that is true of them; empty for all
     * @param projection attributes that are shown; empty for all
     * @param most number of ads in the answer, at most
     * @throws IllegalArgumentException when the constraint is no expression
     */
    List<Ad> find(String type, String constraint, List<String> projection, int most);

    /** The newest ads by the name of the site. Sites that allow no matches are left out. */
    Map<String, SiteAd> newestBySite();

    /** The number of ads of each type, in the order of the types. */
    Map<String, Long> countByType();
}
