package org.metasched.leases;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;

/**
 * Leases on matches of sites, in a file, in a database or behind a server. No lease raises {@code CurMatches} above {@code MaxMatches},
 * for any number of concurrent claimants.
 *
 * <p>A lease is first <em>acquired</em>: room is checked and the lease is durable in one step. It stays open while its claimant lives,
 * or while it is <em>renewed</em>; after that it is committed if its holder exists, and otherwise ends. It is <em>committed</em> once its
 * holder exists, and then ends by {@link #release} only.
 *
 * <p>Thread-safe, and safe between processes. All stores pass one contract. A store that cannot be used or gives no answer is a
 * {@link RuntimeException}: a {@link java.io.UncheckedIOException}, or that of the database. A lease that was granted nevertheless ends
 * with its lease time.
 */
public interface MatchLeases {

    /** Time for which a lease stays uncommitted when its claimant cannot be seen and does not renew it. */
    Duration LEASE_TIME = Duration.ofMinutes(10);

    /**
     * Acquires a lease; returns its id, that of the request or one that a server chose, or empty if the site has no room.
     *
     * @throws IllegalArgumentException if a held lease has the requested id, or the server knows no ad of the site
     * @throws IllegalStateException if this caller may not have the lease
     */
    Optional<UUID> acquire(LeaseRequest request);

    /** Begins the lease time anew, which shows that the claimant lives; returns whether the lease was held. */
    boolean renew(UUID lease);

    /** Commits the lease to its holder, which exists by now; returns whether the lease was held. */
    boolean commit(UUID lease);

    /** Releases a lease; returns whether it was held: to release twice is no error. */
    boolean release(UUID lease);

    /** The ads of sites with {@code CurMatches} as of one moment; ads of a server have it, and are returned as they are. */
    default List<ClassAd> counted(List<ClassAd> siteAds) {
        return siteAds;
    }
}
