package org.metasched.choice;

import java.util.List;
import java.util.Optional;

/**
 * Result of a choice.
 *
 * @param plans best plans found, the best first
 * @param proven whether the search was complete: no better plans exist or, if there are none here, none at all
 * @param steps cost of the search, in picks that were tried
 */
public record ChoiceDecision(List<Plan> plans, boolean proven, long steps) {

    public ChoiceDecision {
        plans = List.copyOf(plans);
    }

    public Optional<Plan> best() {
        return plans.stream().findFirst();
    }
}
