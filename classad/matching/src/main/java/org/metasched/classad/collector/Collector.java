package org.metasched.classad.collector;

import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * Keeps the newest ad of each type and name. Nothing needs to be durable: what is lost is advertised again, which is the
 * point of advertising. Thread-safe.
 */
public interface Collector {

    /**
     * Takes an ad. Of two ads with {@code UpdateSequenceNumber} the higher one is newer, unless {@code DaemonStartTime} shows
     * that the advertiser has begun anew; without a number the later one is newer. {@code ClassAdLifetime} says for how many
     * seconds it lives.
     */
    AdvertiseReceipt advertise(ClassAd ad);

    /** Drops an ad; returns whether there was one. */
    boolean invalidate(AdKey key);

    /** Drops all ads that a query finds; returns how many. */
    int invalidate(CollectorQuery query);

    /** The public parts of the ads that the query finds, by type and name. */
    List<ClassAd> query(CollectorQuery query);

    /**
     * At least the ads that answer a question, by type and name, so far as they are found without evaluating its constraint: for
     * those who put something into the ads before they evaluate it.
     */
    List<Advertisement> candidates(CollectorQuery query);

    Optional<Advertisement> find(AdKey key);

    /** Everything that lives now, private parts too: for the matchmaking cycle, never for a client. By type and name. */
    List<Advertisement> snapshot();
}
