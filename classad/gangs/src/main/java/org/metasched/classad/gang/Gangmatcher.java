package org.metasched.classad.gang;

import java.util.Collection;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/** The search for a gang of one root: offers for all its ports, and for all ports of those offers. Stateless, thread-safe. */
public interface Gangmatcher {

    /**
     * Result of a search.
     *
     * @param gang the gang, if there is one
     * @param effort counts of the search
     * @param exhaustive false if the search was given up at a limit: there may then be a gang, or a better one, that it did not find
     */
    record Marshalled(Optional<Gang> gang, SearchEffort effort, boolean exhaustive) {}

    /** Seeks a gang among the available ads of a pool, without taking them. */
    Marshalled marshal(PortedAd root, GangPool pool);

    /** Seeks a gang among offers that serve this search only; malformed ones are left out. A {@link GangPool} serves several roots. */
    default Optional<Gang> marshal(ClassAd root, Collection<ClassAd> offers) {
        return marshal(PortedAd.of(root), new GangPool(offers)).gang();
    }
}
