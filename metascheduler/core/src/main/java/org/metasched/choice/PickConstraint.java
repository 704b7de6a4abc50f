package org.metasched.choice;

import java.util.List;
import java.util.function.Predicate;

/**
 * A constraint between the picks of some parts: a licence that is valid where the nodes are, a link between two sites.
 *
 * @param parts indexes of the parts, each once
 * @param holds test of one pick of each of these parts, in their order; must hold for every combination of their picks; free of side effects
 */
public record PickConstraint(List<Integer> parts, Predicate<List<PlaceOption>> holds) {

    public PickConstraint {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("A rule must be about at least one part.");
        }
    }
}
