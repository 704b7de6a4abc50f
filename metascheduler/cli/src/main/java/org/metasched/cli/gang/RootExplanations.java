package org.metasched.cli.gang;

import java.util.List;
import java.util.function.BiConsumer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.PortedAd;
import org.metasched.classad.gang.RootExplanation;

/** Why roots of a cycle got no gang, each explained in the pool as it found it: without what roots before it took. */
final class RootExplanations {

    /** More roots than this are counted, not explained. */
    private static final int MOST = 100;

    private final GangPool pool;
    private final CycleOutcome outcome;

    RootExplanations(List<ClassAd> offers, CycleOutcome outcome, GangAlgorithm algorithm) {
        this.pool = new GangPool(offers);
        this.outcome = outcome;
        if (algorithm == GangAlgorithm.EXACT) {
            // Roots are chosen all at once there, so a root without a gang is told about all that is taken.
            outcome.assignments().forEach(assignment -> assignment.gang().ifPresent(pool::consume));
        }
    }

    /** Calls for each root without gang; returns how many more there are. */
    int forEach(BiConsumer<PortedAd, RootExplanation> action) {
        int without = 0;
        for (CycleOutcome.Assignment assignment : outcome.assignments()) {
            if (assignment.gang().isPresent()) {
                pool.consume(assignment.gang().orElseThrow());
            } else if (++without <= MOST) {
                action.accept(assignment.root(), RootExplanation.of(assignment.root(), pool));
            }
        }
        return Math.max(0, without - MOST);
    }
}
