package org.metasched.classad.gang;

import java.util.List;
import java.util.Optional;

/**
 * The gangs of one cycle.
 *
 * @param assignments one for each root, in priority order
 * @param effort counts of the whole cycle
 * @param bound upper bound of the number of gangs; empty if it was not computed
 * @param optimal whether there are as many gangs as possible, and, where a flow decides, of all such sets of roots the
 *     first in priority order
 * @param exhaustive whether the search was complete for every root without a gang
 * @param rankNote note for people, if roots have a {@code Rank} or {@code GangRank} that did not decide
 */
public record CycleOutcome(
        List<Assignment> assignments,
        SearchEffort effort,
        Optional<Integer> bound,
        boolean optimal,
        boolean exhaustive,
        Optional<String> rankNote) {

    /** A root and its gang, if it got one. */
    public record Assignment(PortedAd root, Optional<Gang> gang) {}

    public CycleOutcome {
        assignments = List.copyOf(assignments);
    }

    /** Number of roots that got a gang. */
    public int gangs() {
        return (int) assignments.stream().filter(one -> one.gang().isPresent()).count();
    }

    /** The reason why the number of gangs may not be the largest possible; empty if it is, or if no bound was computed. */
    public Optional<String> shortfall() {
        return bound.filter(most -> !optimal)
                .map(
                        most -> "Made " + gangs() + " gangs; at most " + most
                                + " are possible. Roots are tied to offers of more than two ports at once here, and the search for more was cut off.");
    }
}
