package org.metasched.negotiation;

import java.util.List;
import org.metasched.choice.Plan;

/**
 * Plans of a choice, found without holding anything; true as long as no site changes.
 *
 * @param plans the best ones, the best first; the tags of their picks are {@link ChoiceRequest.Place}s
 * @param proven whether the search ended: these are the best there are, or there is none
 * @param reason for people: why there is no plan, or which sites were left out as they did not answer; else empty
 */
public record ChoicePlans(List<Plan> plans, boolean proven, String reason, NegotiationEffort effort) {

    public ChoicePlans {
        plans = List.copyOf(plans);
    }
}
