package org.metasched.simulation;

import java.time.Clock;
import java.util.Random;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.simulation.scenario.Policy;
import org.metasched.sites.SiteCalls;

/** The engine for each policy of a scenario. A new way to find a start is a {@link Policy} and a line here. */
final class StartPolicies {

    private StartPolicies() {}

    /**
     * What an engine works with.
     *
     * @param random names negotiations
     */
    record Means(
            SiteCalls calls,
            ReservationJournal journal,
            OrphanSweeper sweeper,
            NegotiationBudget budget,
            Clock clock,
            Random random) {}

    static NegotiationEngine engine(Policy policy, Means means) {
        if (policy instanceof Policy.TrialAndError trial) {
            return new TrialAndError(means, trial.step());
        } else if (policy instanceof Policy.Padded padded) {
            return new PaddedReservations(means, padded.factor());
        }
        var strategy = policy instanceof Policy.ListingOne ? SearchStrategy.LISTING1 : SearchStrategy.WINDOWS;
        return new ParallelNegotiation(
                means.calls(),
                strategy,
                means.journal(),
                means.sweeper(),
                means.budget(),
                means.clock(),
                means.random());
    }
}
