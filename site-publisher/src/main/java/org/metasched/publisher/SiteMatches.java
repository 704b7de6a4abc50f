package org.metasched.publisher;

import java.util.Optional;
import java.util.UUID;

/** Taking and giving back the matches of sites, here or behind a server. Thread-safe. */
public interface SiteMatches {

    /**
     * Takes one of a site's matches while {@code CurMatches < MaxMatches}, or nothing when the site is full. Unless it is
     * {@link #settle settled} within {@link Claims#LEASE} it lapses.
     *
     * @param nodes of the DAG, which count where the site's ad says so ({@link MatchUnit})
     * @throws IllegalArgumentException when no ad of that site is known
     */
    Optional<UUID> take(String site, String holder, int nodes);

    /** The same in the name of a subject; where the count is behind a server, that knows who speaks. */
    default Optional<UUID> take(String site, String holder, int nodes, String owner) {
        return take(site, holder, nodes);
    }

    /** The claimant lives: the lease begins anew. Whether the match was held. */
    boolean renew(UUID match);

    /** Keeps a match for good, now that its holder exists, or gives it back; whether it was held. */
    boolean settle(UUID match, boolean keep);
}
