package org.metasched.classad.gang;

/**
 * The 2003 paper's dynamic algorithm: fail-first, that is, the port with the smallest domain first, and backtracking at
 * an empty domain. Beyond the paper, each distinct residual constraint is probed once: values interchangeable with one
 * that failed are skipped, and a request with an empty domain is not repeated in a cycle.
 */
public final class DynamicGangmatcher implements Gangmatcher {

    @Override
    public Marshalled marshal(PortedAd root, GangPool pool) {
        return DomainSearch.marshal(root, pool, true);
    }
}
