package org.metasched.choice;

import java.util.ArrayList;
import java.util.List;

/** Tests the rules between picks, each as soon as all of its parts have theirs. Not thread-safe. */
final class RuleCheck {

    private final List<Rule> rules;
    private final List<List<Option>> picks;
    private final List<List<Rule>> rulesAt = new ArrayList<>();

    /** @param picks of each part, as they are made */
    RuleCheck(List<Rule> rules, List<List<Option>> picks) {
        this.rules = rules;
        this.picks = picks;
        picks.forEach(part -> rulesAt.add(new ArrayList<>()));
    }

    /** @param order in which the parts get their picks */
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

    /** Whether the rules hold that can be tested when the part at a place of the order has its picks. */
    boolean holdAt(int place) {
        for (var rule : rulesAt.get(place)) {
            if (!holds(rule, new ArrayList<>())) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(Rule rule, List<Option> chosen) {
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
