package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One pass over roots. In priority order each gets a gang of the offers left, whose members are not available to later roots; EXACT
 * decides all together.
 */
public final class GangCycle {

    private GangCycle() {}

    /** Runs a cycle and leaves in the pool the offers that are in no gang. */
    public static CycleOutcome run(List<PortedAd> roots, GangPool pool, GangAlgorithm algorithm) {
        return algorithm == GangAlgorithm.EXACT
                ? ExactCycle.run(roots, pool)
                : oneByOne(roots, pool, algorithm.matcher());
    }

    /** Seeks a gang for one root after the other, in priority order; consumes the offers of each. */
    static CycleOutcome oneByOne(List<PortedAd> roots, GangPool pool, Gangmatcher matcher) {
        var assignments = new ArrayList<CycleOutcome.Assignment>(roots.size());
        SearchEffort effort = SearchEffort.NONE;
        boolean exhaustive = true;
        for (PortedAd root : roots) {
            Gangmatcher.Marshalled marshalled = matcher.marshal(root, pool);
            effort = effort.plus(marshalled.effort());
            exhaustive &= marshalled.exhaustive();
            marshalled.gang().ifPresent(pool::consume);
            assignments.add(new CycleOutcome.Assignment(root, marshalled.gang()));
        }
        return new CycleOutcome(assignments, effort, Optional.empty(), false, exhaustive, Optional.empty());
    }
}
