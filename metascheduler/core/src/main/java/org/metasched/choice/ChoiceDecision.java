package org.metasched.choice;

import java.util.List;
import java.util.Optional;

/**
 * Result of a choice.
 *
 * @param plans the best ones that were found, the best first
 * @param proven whether the search ended: these are the best there are, or there is none
 * @param steps picks that were tried
 */
public record ChoiceDecision(List<Plan> plans, boolean proven, long steps) {

    public ChoiceDecision {
        plans = List.copyOf(plans);
    }

    public Optional<Plan> best() {
        return plans.stream().findFirst();
    }
}
