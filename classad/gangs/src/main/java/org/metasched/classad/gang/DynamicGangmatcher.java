package org.metasched.classad.gang;

/**
 * The dynamic algorithm of the 2003 paper: fail-first, that is, the port with the smallest domain first, and backtracking at
 * an empty domain. Beyond the paper, values that are interchangeable with one that failed are skipped, and a request with
 * an empty domain is not repeated in a cycle.
 */
public final class DynamicGangmatcher implements Gangmatcher {

    @Override
    public Marshalled marshal(PortedAd root, GangPool pool) {
        return DomainSearch.marshal(root, pool, true);
    }
}
