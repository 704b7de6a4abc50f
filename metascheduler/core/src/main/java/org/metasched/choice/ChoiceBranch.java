package org.metasched.choice;

import java.util.List;

/** One alternative: all of its parts at one start. */
public record ChoiceBranch(List<ChoicePart> parts, List<Rule> rules) {

    public ChoiceBranch {
        parts = List.copyOf(parts);
        rules = List.copyOf(rules);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("A branch must have at least one part.");
        }
        for (var rule : rules) {
            if (rule.lastPart() >= parts.size()) {
                throw new IllegalArgumentException("A rule is about part " + rule.lastPart() + "; there are "
                        + parts.size() + ", counted from 0.");
            }
        }
    }
}
