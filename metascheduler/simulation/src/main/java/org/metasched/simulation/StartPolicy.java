package org.metasched.simulation;

import java.util.random.RandomGenerator;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.simulation.scenario.StartSearchPolicy;

/** Search for a common start at named sites. */
@FunctionalInterface
interface StartPolicy {

    /** Reserves all parts of a request at one start; blocks until the outcome is known. */
    NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException;

    /**
     * The search that a scenario's policy names.
     *
     * @param engine the product's negotiation
     * @param random source of the names of negotiations
     */
    static StartPolicy of(
            StartSearchPolicy policy, NegotiationEngine engine, NegotiationContext context, RandomGenerator random) {
        if (policy instanceof StartSearchPolicy.TrialAndError trial) {
            return new TrialAndError(context, random, trial.step());
        } else if (policy instanceof StartSearchPolicy.Padded padded) {
            return new PaddedReservations(context, random, padded.factor());
        }
        return engine::negotiate;
    }
}
