package org.metasched.choice;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** An upper bound on all plans of a branch, at any start, and the options that may be in a better plan than those found. */
final class UpperBound {

    private final ChoiceBranch branch;
    private final Preference preference;
    private final double[] mostRank;
    private final double[] leastCost;
    private final double rank;
    private final double cost;
    private final int pieces;

    UpperBound(ChoiceBranch branch, Preference preference) {
        this.branch = branch;
        this.preference = preference;
        this.mostRank = branch.parts().stream()
                .mapToDouble(part -> part.options().stream()
                        .mapToDouble(PlaceOption::rank)
                        .max()
                        .orElse(0))
                .toArray();
        this.leastCost = branch.parts().stream()
                .mapToDouble(part -> part.options().stream()
                        .mapToDouble(PlaceOption::cost)
                        .min()
                        .orElse(0))
                .toArray();
        int[] picks = branch.parts().stream()
                .mapToInt(part -> part.isSplit() ? 1 : part.least())
                .toArray();
        this.pieces = IntStream.of(picks).sum();
        this.rank = IntStream.range(0, picks.length)
                .mapToDouble(p -> picks[p] * mostRank[p])
                .sum();
        this.cost = IntStream.range(0, picks.length)
                .mapToDouble(p -> picks[p] * leastCost[p])
                .sum();
    }

    /** Whether a plan with this or a later {@link Plan#when} may still be wanted. */
    boolean mayBeBetter(BestPlans best, long when) {
        return best.wants(when, pieces, rank, cost);
    }

    /** The branch with the best options of each part only, at most {@code most}. */
    ChoiceBranch best(int most) {
        Comparator<PlaceOption> byRank =
                Comparator.comparingDouble(PlaceOption::rank).reversed();
        var order = preference == Preference.COST ? Comparator.comparingDouble(PlaceOption::cost) : byRank;
        return with(
                (part, options) -> options.stream().sorted(order).limit(most).toList());
    }

    /** The branch with those options only that may be in a plan better than the worst one found, or as good and earlier. */
    ChoiceBranch kept(BestPlans best) {
        return with((p, options) -> {
            var part = branch.parts().get(p);
            double share = part.isSplit() ? part.weight(part.leastPiece()) : 1;
            return options.stream()
                    .filter(option -> best.wants(
                            Long.MIN_VALUE,
                            0,
                            rank - share * (mostRank[p] - option.rank()),
                            cost + share * (option.cost() - leastCost[p])))
                    .toList();
        });
    }

    private ChoiceBranch with(BiFunction<Integer, List<PlaceOption>, List<PlaceOption>> change) {
        var parts = IntStream.range(0, branch.parts().size())
                .mapToObj(p -> {
                    var part = branch.parts().get(p);
                    return new ChoicePart(
                            change.apply(p, part.options()),
                            part.least(),
                            part.most(),
                            part.total(),
                            part.leastPiece());
                })
                .toList();
        return new ChoiceBranch(
                parts, branch.rules(), branch.stages(), branch.network(), branch.delay(), branch.order());
    }
}
