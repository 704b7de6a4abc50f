package org.metasched.cli.gang;

import java.util.List;
import java.util.function.BiConsumer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.PortedAd;
import org.metasched.classad.gang.RootExplanation;

/**
 * Explains the roots of a cycle without a gang, each in the pool as it was at its turn: without the ads that earlier roots took. With
 * EXACT, which decides all roots together, each is explained in what is left at the end.
 */
final class RootExplanations {

    /** The greatest number of roots that are explained; others are only counted. */
    private static final int MOST_EXPLAINED = 100;

    private final GangPool pool;
    private final CycleOutcome outcome;

    RootExplanations(List<ClassAd> offers, CycleOutcome outcome, GangAlgorithm algorithm) {
        this.pool = new GangPool(offers);
        this.outcome = outcome;
        if (algorithm == GangAlgorithm.EXACT) {
            // Exact gangs are chosen all at once, so for a root without a gang all their ads are taken.
            outcome.assignments().forEach(assignment -> assignment.gang().ifPresent(pool::consume));
        }
    }

    /**
     * Passes an explanation of each of the first roots without a gang to the action; returns the number of the others. To be called once,
     * as it takes ads from the pool.
     */
    int forEach(BiConsumer<PortedAd, RootExplanation> action) {
        int without = 0;
        for (CycleOutcome.Assignment assignment : outcome.assignments()) {
            if (assignment.gang().isPresent()) {
                pool.consume(assignment.gang().orElseThrow());
            } else if (++without <= MOST_EXPLAINED) {
                action.accept(assignment.root(), RootExplanation.of(assignment.root(), pool));
            }
        }
        return Math.max(0, without - MOST_EXPLAINED);
    }
}
