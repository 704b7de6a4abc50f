package org.metasched.classad.gang;

/** The 2003 paper's indexed algorithm in fixed order: ports from left to right, candidates from indexes on attributes and constraints. */
public final class IndexedGangmatcher implements Gangmatcher {

    @Override
    public Marshalled marshal(PortedAd root, GangPool pool) {
        return DomainSearch.marshal(root, pool, false);
    }
}
