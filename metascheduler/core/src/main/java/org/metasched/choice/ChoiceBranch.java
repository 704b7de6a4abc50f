package org.metasched.choice;

import java.util.Collections;
import java.util.List;

/**
 * One alternative: all of its parts, each at the start of its stage.
 *
 * @param rules constraints between the picks of its parts
 * @param stages stage of each part, counted from 0
 * @param network times between the stages
 * @param delay seconds by which it takes longer than another branch for the same request: plans of both are compared by their ends
 * @param order rank of the alternative: plans of a lower order come first, whatever the preference
 */
public record ChoiceBranch(
        List<ChoicePart> parts,
        List<PickConstraint> rules,
        List<Integer> stages,
        StageNetwork network,
        long delay,
        int order) {

    public ChoiceBranch {
        parts = List.copyOf(parts);
        rules = List.copyOf(rules);
        stages = List.copyOf(stages);
        if (parts.isEmpty() || stages.size() != parts.size()) {
            throw new IllegalArgumentException("A branch must have at least one part, each of a stage.");
        }
        for (var rule : rules) {
            int last = Collections.max(rule.parts());
            if (last >= parts.size()) {
                throw new IllegalArgumentException(
                        "A rule is about part " + last + "; there are " + parts.size() + ", counted from 0.");
            }
        }
    }

    /** A branch whose parts all begin together. */
    public ChoiceBranch(List<ChoicePart> parts, List<PickConstraint> rules) {
        this(parts, rules, Collections.nCopies(parts.size(), 0), StageNetwork.single(0), 0, 0);
    }
}
