package org.metasched.classad.match;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;

/** The autoclusters of one cycle over one pool. Not thread-safe. */
public final class Autoclusters {

    private final OfferPool pool;
    private final Map<Autocluster.Key, Autocluster> clusters = new HashMap<>();

    /** @param pool the offers of the cycle */
    public Autoclusters(OfferPool pool) {
        this.pool = pool;
    }

    /** The cluster of a customer. */
    public Autocluster of(ClassAd customer) {
        Autocluster cluster = Autocluster.of(customer, pool);
        Autocluster known = clusters.putIfAbsent(cluster.key(), cluster);
        return known == null ? cluster : known;
    }

    /** The clusters so far. */
    public Collection<Autocluster> all() {
        return List.copyOf(clusters.values());
    }
}
