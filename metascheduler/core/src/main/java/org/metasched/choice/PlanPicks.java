package org.metasched.choice;

import java.util.ArrayList;
import java.util.List;

/** The picks of the plan that is being made. Tests each rule between them as soon as all of its parts have theirs. Not thread-safe. */
final class PlanPicks {

    private final List<PickConstraint> rules;
    private final List<List<PlaceOption>> picks = new ArrayList<>();
    private final List<List<PickConstraint>> rulesAt = new ArrayList<>();

    PlanPicks(int parts, List<PickConstraint> rules) {
        this.rules = rules;
        for (int p = 0; p < parts; p++) {
            picks.add(new ArrayList<>());
            rulesAt.add(new ArrayList<>());
        }
    }

    /** The picks of each part. */
    List<List<PlaceOption>> all() {
        return picks;
    }

    void add(int part, PlaceOption option) {
        picks.get(part).add(option);
    }

    void removeLast(int part) {
        picks.get(part).remove(picks.get(part).size() - 1);
    }

    /** Assigns each rule to the position at which its last part gets its picks. */
    void sort(int[] order) {
        rulesAt.forEach(List::clear);
        for (var rule : rules) {
            int last = 0;
            for (int i = 0; i < order.length; i++) {
                last = rule.parts().contains(order[i]) ? i : last;
            }
            rulesAt.get(last).add(rule);
        }
    }

    /** Whether the rules hold that can be tested once the part at a position of the order has its picks. */
    boolean rulesHoldAt(int position) {
        for (var rule : rulesAt.get(position)) {
            if (!holds(rule, new ArrayList<>())) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(PickConstraint rule, List<PlaceOption> chosen) {
        if (chosen.size() == rule.parts().size()) {
            return rule.holds().test(List.copyOf(chosen));
        }
        for (var option : picks.get(rule.parts().get(chosen.size()))) {
            chosen.add(option);
            boolean held = holds(rule, chosen);
            chosen.remove(chosen.size() - 1);
            if (!held) {
                return false;
            }
        }
        return true;
    }
}
