package org.metasched.negotiation;

import java.util.List;
import java.util.Optional;
import org.metasched.choice.Plan;

/**
 * Plans of a choice, found without holding anything; true as long as no site changes.
 *
 * @param plans the best ones, the best first; the tags of their picks are {@link ChoiceRequest.Place}s
 * @param proven whether the search ended: these are the best there are, or there is none
 * @param reason for people: which sites were left out as they did not answer; else empty
 * @param end of a negotiation that finds no plan; empty with plans
 */
public record ChoicePlans(
        List<Plan> plans, boolean proven, String reason, Optional<NegotiationOutcome> end, NegotiationEffort effort) {

    public ChoicePlans {
        plans = List.copyOf(plans);
    }
}
