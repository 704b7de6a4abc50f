package org.metasched.choice;

import java.util.Collections;
import java.util.List;

/**
 * One alternative: all of its parts, each at the start of its stage.
 *
 * @param stages for each part the stage that it is of, counted from 0
 * @param delay seconds that it takes longer than another branch that does the same: plans of both are compared by their ends
 * @param order plans of a lower order come first, whatever is preferred
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
            if (rule.lastPart() >= parts.size()) {
                throw new IllegalArgumentException("A rule is about part " + rule.lastPart() + "; there are "
                        + parts.size() + ", counted from 0.");
            }
        }
    }

    /** All parts at one start. */
    public ChoiceBranch(List<ChoicePart> parts, List<PickConstraint> rules) {
        this(parts, rules, Collections.nCopies(parts.size(), 0), StageNetwork.single(0), 0, 0);
    }
}
