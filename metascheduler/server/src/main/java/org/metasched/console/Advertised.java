package org.metasched.console;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The view of the matchmaking side that the console shows: what is advertised now. Owned here; the server answers it.
 * Thread-safe.
 */
public interface Advertised {

    /**
     * The newest ad of a site.
     *
     * @param received when it came
     * @param currentMatches taken
     * @param mostMatches that the site allows
     */
    record SiteAd(Instant received, Optional<Long> currentMatches, Optional<Long> mostMatches) {}

    /** By the name of the site. Sites that allow no matches are left out. */
    Map<String, SiteAd> newestBySite();

    /** How many ads there are of each type, in the order of the types. */
    Map<String, Long> countByType();
}
