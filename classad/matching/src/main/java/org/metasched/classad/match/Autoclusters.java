package org.metasched.classad.match;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;

/** The autoclusters of one cycle over one pool. Not thread-safe. */
public final class Autoclusters {

    private final OfferPool pool;
    private final Map<Object, Autocluster> clusters = new HashMap<>();

    /** @param pool the offers of the cycle */
    public Autoclusters(OfferPool pool) {
        this.pool = pool;
    }

    /** The cluster of a customer; until the pool is {@linkplain OfferPool#prepare prepared}, of customers with equal ads only. */
    public Autocluster of(ClassAd customer) {
        var cluster = new Autocluster(customer, pool);
        Autocluster known = clusters.putIfAbsent(pool.isFresh() ? customer : cluster.key(), cluster);
        return known == null ? cluster : known;
    }

    /** The clusters so far. */
    public Collection<Autocluster> all() {
        return List.copyOf(clusters.values());
    }
}
