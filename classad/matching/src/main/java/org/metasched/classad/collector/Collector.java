package org.metasched.classad.collector;

import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * A collector of ads, which keeps the newest ad of each type and name. Nothing needs to be durable: lost ads are advertised again.
 * Thread-safe.
 */
public interface Collector {

    /**
     * Takes an ad. Of two ads with {@code UpdateSequenceNumber} the higher one is newer, unless {@code DaemonStartTime} shows that the
     * advertiser was restarted; without a number the later one is newer. {@code ClassAdLifetime} is its lifetime in seconds.
     */
    AdvertiseReceipt advertise(ClassAd ad);

    /** Drops an ad; returns whether there was one. */
    boolean invalidate(AdKey key);

    /** Drops all ads that a query finds, whatever its limit; returns their number. */
    int invalidate(CollectorQuery query);

    /** The public parts of the ads that the query finds, by type and name. */
    List<ClassAd> query(CollectorQuery query);

    /**
     * A superset of the ads that a query finds, by type and name, without evaluating its constraint: for callers that complete the ads
     * before they evaluate it.
     */
    List<Advertisement> candidates(CollectorQuery query);

    /** The ad of a key with its private part; empty if none lives now. */
    Optional<Advertisement> find(AdKey key);

    /** All ads that live now, private parts too: for the matchmaking cycle, never for a client. By type and name. */
    List<Advertisement> snapshot();
}
