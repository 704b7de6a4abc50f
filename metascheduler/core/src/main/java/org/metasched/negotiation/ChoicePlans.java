package org.metasched.negotiation;

import java.util.List;
import java.util.Optional;
import org.metasched.choice.Plan;

/**
 * Plans for a request, found without reserving anything; valid as long as no site changes.
 *
 * @param plans best plans, the best first; the tags of their picks are {@link ChoiceRequest.Place}s
 * @param proven whether the search was complete: no better plans exist or, if there are none here, none at all
 * @param reason sentence for people about sites that were left out as they did not answer; else empty
 * @param end outcome that a negotiation would have for lack of a plan; empty if there are plans
 * @param effort cost of the search
 */
public record ChoicePlans(
        List<Plan> plans, boolean proven, String reason, Optional<NegotiationOutcome> end, NegotiationEffort effort) {

    public ChoicePlans {
        plans = List.copyOf(plans);
    }
}
