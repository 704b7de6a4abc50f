package org.metasched.leases;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Store of leases, which also lists and counts them. {@code CurMatches} is its count, also after a restart.
 *
 * <p>A committed lease ends when it is released: on request, or on evidence that its holder has ended. A directory of the
 * holder that is missing or may not be read, or an unknown host, is no such evidence.
 */
public interface LeaseStore extends MatchLeases {

    /** All leases that are held, oldest first. */
    List<Lease> held();

    /** The lease of an id, if it is held. */
    default Optional<Lease> find(UUID id) {
        return held().stream().filter(lease -> lease.id().equals(id)).findFirst();
    }

    /** {@code CurMatches} of a site, whose name is compared ignoring case; 0 if it has none. */
    default int count(String site) {
        return counts().getOrDefault(site.toLowerCase(Locale.ROOT), 0);
    }

    /** {@code CurMatches} of all sites that have any, by their names in lower case, at one moment. */
    default Map<String, Integer> counts() {
        var counts = new TreeMap<String, Integer>();
        held().forEach(lease -> counts.merge(lease.site().toLowerCase(Locale.ROOT), lease.matches(), Integer::sum));
        return counts;
    }

    /** Releases every committed lease whose holder has ended; returns their number. Holders are checked outside any lock. */
    default int releaseEnded(Predicate<Lease> ended) {
        return (int) held().stream()
                .filter(lease -> lease.committed() && ended.test(lease) && release(lease.id()))
                .count();
    }
}
