package org.metasched.classad.gang;

/**
 * The 2003 paper's dynamic algorithm: the port with the fewest candidates first, an immediate stop at a port without any. Beyond
 * the paper, each distinct residual constraint is probed once: candidates that the rest of the gang cannot tell apart from one
 * that failed are passed over, and a request that found nobody is not repeated in a cycle.
 */
public final class DynamicGangmatcher implements Gangmatcher {

    @Override
    public Marshalled marshal(PortedAd root, GangPool pool) {
        return FormSearch.marshal(root, pool, true);
    }
}
