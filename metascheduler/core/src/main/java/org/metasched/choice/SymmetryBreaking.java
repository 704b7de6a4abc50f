package org.metasched.choice;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A branch in which parts of one stage with the same options are merged into one part: to exchange their picks makes no other plan.
 *
 * @param original the branch before
 * @param merged the branch with one part for all that are alike
 * @param parts for each part of the original, the index of its part in the merged branch
 */
record SymmetryBreaking(ChoiceBranch original, ChoiceBranch merged, List<Integer> parts) {

    static SymmetryBreaking of(ChoiceBranch branch) {
        var kinds = new ArrayList<Integer>();
        var numbers = new ArrayList<Integer>();
        for (int p = 0; p < branch.parts().size(); p++) {
            int part = p;
            int kind = IntStream.range(0, kinds.size())
                    .filter(k -> areAlike(branch, kinds.get(k), part))
                    .findFirst()
                    .orElse(kinds.size());
            if (kind == kinds.size()) {
                kinds.add(p);
            }
            numbers.add(kind);
        }
        if (kinds.size() == numbers.size()) {
            return new SymmetryBreaking(branch, branch, numbers);
        }
        var parts = kinds.stream().map(p -> merged(branch, numbers, p)).toList();
        var rules = branch.rules().stream()
                .map(rule -> new PickConstraint(
                        rule.parts().stream().map(numbers::get).toList(), rule.holds()))
                .toList();
        var stages = kinds.stream().map(branch.stages()::get).toList();
        var merged = new ChoiceBranch(parts, rules, stages, branch.network(), branch.delay(), branch.order());
        return new SymmetryBreaking(branch, merged, numbers);
    }

    private static ChoicePart merged(ChoiceBranch branch, List<Integer> numbers, int first) {
        var part = branch.parts().get(first);
        int picks = IntStream.range(0, numbers.size())
                .filter(p -> numbers.get(p).equals(numbers.get(first)))
                .map(p -> branch.parts().get(p).least())
                .sum();
        return part.isSplit() ? part : ChoicePart.some(picks, part.options());
    }

    /** Whether two parts are alike: not if they may share a place, or a rule is about either. */
    private static boolean areAlike(ChoiceBranch branch, int a, int b) {
        var part = branch.parts().get(a);
        return !part.isSplit()
                && !branch.parts().get(b).isSplit()
                && branch.stages().get(a).equals(branch.stages().get(b))
                && branch.rules().stream()
                        .noneMatch(
                                rule -> rule.parts().contains(a) || rule.parts().contains(b))
                && part.options().equals(branch.parts().get(b).options())
                && part.options().stream().noneMatch(option -> option.place().isEmpty());
    }

    /** A plan of the merged branch as one of the original. */
    Plan expanded(Plan plan) {
        if (original == merged) {
            return plan;
        }
        int[] used = new int[merged.parts().size()];
        var picks = new ArrayList<List<PlaceOption>>();
        for (int p = 0; p < parts.size(); p++) {
            int part = parts.get(p);
            var all = plan.picks().get(part);
            var own = original.parts().get(p);
            int count = own.isSplit() ? all.size() : own.least();
            picks.add(all.subList(used[part], used[part] + count));
            used[part] += count;
        }
        var starts = parts.stream().map(plan.starts()::get).toList();
        return new Plan(plan.branch(), plan.when(), starts, plan.rank(), plan.cost(), picks);
    }
}
