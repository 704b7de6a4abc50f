package org.metasched.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The options of a branch that are free at the start the sweep has come to, and the search for the best plans among them: depth
 * first over the parts, each part's options best first, cut off where even the best options of the parts to come make no plan
 * that is wanted. Not thread-safe.
 */
class OpenOptions {

    /** Options that are passed over at the cost of a step. */
    private static final int LOOKS_A_STEP = 2;

    final ChoiceBranch branch;
    final BestPlans best;
    /** When the plans end that are looked for, or at least. */
    long when;
    /** The order in which parts get their picks, and what is best in all of the parts from a place in it on. */
    final int[] order;

    final double[] mostRank;
    final double[] leastCost;
    final int[] leastPieces;
    private final int number;
    private final int parts;
    private final Option[][] options;
    private final Starts[][] starts;
    private final int[][] places;
    private final BitSet[] open;
    private final long[][] lasts;
    /** For each place the stages in which it is taken, and for each part the stages that may run at the same time. */
    private final long[] taken;

    private final long[] rivals;
    private final List<List<Rule>> rulesAt = new ArrayList<>();

    private double filledRank;
    private double filledCost;
    private long start;
    private int forcedPart = -1;
    private int forcedOption;
    private final List<List<Option>> picks = new ArrayList<>();
    /** What so many pieces of a split part give at most. */
    private final long[][] most;
    /** For each option the next larger one that is as good at the same place, or -1. */
    private final int[][] larger;

    OpenOptions(int number, ChoiceBranch branch, BestPlans best) {
        this.number = number;
        this.branch = branch;
        this.best = best;
        this.parts = branch.parts().size();
        this.options = new Option[parts][];
        this.starts = new Starts[parts][];
        this.rivals = new long[parts];
        this.places = new int[parts][];
        this.open = new BitSet[parts];
        this.lasts = new long[parts][];
        this.order = new int[parts];
        this.mostRank = new double[parts + 1];
        this.leastCost = new double[parts + 1];
        this.leastPieces = new int[parts + 1];
        this.larger = new int[parts][];
        this.most = new long[parts][];
        Map<String, Integer> numberOf = new HashMap<>();
        for (int p = 0; p < parts; p++) {
            options[p] = sorted(branch.parts().get(p));
            long shift = shift(p);
            starts[p] = Arrays.stream(options[p])
                    .map(option -> option.starts().minus(shift))
                    .toArray(Starts[]::new);
            rivals[p] = rivals(branch.stages().get(p));
            open[p] = new BitSet(options[p].length);
            lasts[p] = new long[options[p].length];
            places[p] = new int[options[p].length];
            for (int o = 0; o < options[p].length; o++) {
                String place = options[p][o].place();
                places[p][o] = place.isEmpty() ? -1 : numberOf.computeIfAbsent(place, k -> numberOf.size());
            }
            larger[p] = larger(options[p], branch.parts().get(p).isSplit());
            most[p] = new long[branch.parts().get(p).most() + 1];
            picks.add(new ArrayList<>());
            rulesAt.add(new ArrayList<>());
        }
        taken = new long[numberOf.size()];
    }

    private static int[] larger(Option[] sorted, boolean split) {
        record Kind(String place, double rank, double cost) {}
        Map<Kind, Integer> last = new HashMap<>();
        int[] larger = new int[sorted.length];
        for (int o = 0; o < sorted.length; o++) {
            var kind = new Kind(sorted[o].place(), sorted[o].rank(), sorted[o].cost());
            var before = split && !kind.place().isEmpty() ? last.put(kind, o) : null;
            larger[o] = before == null ? -1 : before;
        }
        return larger;
    }

    /** Whether the same place gives more at the start, so that an option is of no use. */
    private boolean isDominated(int part, int option) {
        int other = larger[part][option];
        while (other >= 0 && !(open[part].get(other) && lasts[part][other] >= start)) {
            other = larger[part][other];
        }
        return other >= 0;
    }

    /** From the start of the group that a part moves with to the start of the part. */
    private long shift(int part) {
        int stage = branch.stages().get(part);
        return branch.network().gap(branch.network().group(stage), stage);
    }

    private long rivals(int stage) {
        long rivals = 0;
        for (int other = 0; other < branch.network().stages(); other++) {
            rivals |= branch.network().areApart(stage, other) ? 0 : 1L << other;
        }
        return rivals;
    }

    /** Whether two parts may want one place at the same time. */
    final boolean areRivals(int one, int other) {
        return (rivals[one] >> branch.stages().get(other) & 1) != 0
                && Arrays.stream(places[one])
                        .anyMatch(spot ->
                                spot >= 0 && Arrays.stream(places[other]).anyMatch(o -> o == spot));
    }

    private Option[] sorted(ChoicePart part) {
        Comparator<Option> byRank = Comparator.comparingDouble(Option::rank).reversed();
        Comparator<Option> byCost = Comparator.comparingDouble(Option::cost);
        var order = best.preference() == Preference.COST ? byCost.thenComparing(byRank) : byRank.thenComparing(byCost);
        Comparator<Option> byAmount = Comparator.comparingInt(Option::amount).reversed();
        return part.options().stream()
                .sorted(part.isSplit() ? order.thenComparing(byAmount) : order)
                .toArray(Option[]::new);
    }

    /** Whether every option is needed. */
    final boolean isOneWay() {
        return IntStream.range(0, parts)
                .allMatch(p -> !branch.parts().get(p).isSplit()
                        && options[p].length == branch.parts().get(p).least());
    }

    /** The starts of a part's options, the best option first, as starts of the group that the part moves with. */
    final Starts[] starts(int part) {
        return starts[part];
    }

    /** Opens just the options of a part that are free at a start, or all of them. */
    final void openAt(int part, long at, boolean all) {
        for (int o = 0; o < options[part].length; o++) {
            open[part].set(o, all || starts[part][o].contains(at));
            lasts[part][o] = Long.MAX_VALUE;
        }
        countTotal(part);
    }

    void open(int part, int option, long last) {
        open[part].set(option);
        lasts[part][option] = last;
    }

    /** The next option of a part that is still free, or -1; forgets those that are not. */
    private int next(int part, int from) {
        int option = open[part].nextSetBit(from);
        while (option >= 0 && lasts[part][option] < start) {
            open[part].clear(option);
            option = open[part].nextSetBit(option + 1);
        }
        return option;
    }

    /** Whether every part has as many options as it needs, which does not mean that they go together. */
    boolean canServeAll(long at) {
        start = at;
        for (int p = 0; p < parts; p++) {
            int option = -1;
            for (int i = 0; i < branch.parts().get(p).least(); i++) {
                option = next(p, option + 1);
                if (option < 0) {
                    return false;
                }
            }
            if (branch.parts().get(p).isSplit()
                    && countTotal(p) < branch.parts().get(p).total()) {
                return false;
            }
        }
        return true;
    }

    /** Finds what any number of pieces of a part that are free give at most, and returns it for all. */
    private long countTotal(int p) {
        var part = branch.parts().get(p);
        if (!part.isSplit()) {
            return 0;
        }
        int[] largest = new int[part.most()];
        int looked = 0;
        for (int o = next(p, 0); o >= 0; o = next(p, o + 1)) {
            int amount = options[p][o].amount();
            looked++;
            if (amount > largest[part.most() - 1] && !isDominated(p, o)) {
                int at = part.most() - 1;
                for (; at > 0 && largest[at - 1] < amount; at--) {
                    largest[at] = largest[at - 1];
                }
                largest[at] = amount;
            }
        }
        for (int i = 0; i < largest.length; i++) {
            most[p][i + 1] = most[p][i] + largest[i];
        }
        best.step(looked / LOOKS_A_STEP);
        return most[p][part.most()];
    }

    /** What the options of a part give, the best option first. */
    final List<Integer> amounts(int part) {
        return Arrays.stream(options[part]).map(Option::amount).toList();
    }

    /** When a plan that begins at a start ends, less what the branch takes at least. */
    final long when(long at) {
        return at - branch.network().head(0) + branch.delay();
    }

    /** Searches the plans at the start with a given option, or all of them if the part is -1. */
    void search(long at, int part, int option) {
        start = at;
        when = when(at);
        // The pieces of a split part are taken in their order only, so that the better ones are as large as they can
        // be.
        forcedPart = part >= 0 && branch.parts().get(part).isSplit() ? -1 : part;
        forcedOption = option;
        int size = 0;
        if (forcedPart >= 0) {
            order[size++] = forcedPart;
        }
        for (int p = 0; p < parts; p++) {
            if (p != forcedPart) {
                order[size++] = p;
            }
        }
        prepare();
        if (best.wants(when, leastPieces[0], mostRank[0], leastCost[0]) && haveTotals()) {
            extend(0, 0, 0, 0);
        }
    }

    private boolean haveTotals() {
        for (int p = 0; p < parts; p++) {
            if (branch.parts().get(p).isSplit()
                    && countTotal(p) < branch.parts().get(p).total()) {
                return false;
            }
        }
        return true;
    }

    /** For the order of the parts, when all that matter are open. */
    final void prepare() {
        rulesAt.forEach(List::clear);
        for (var rule : branch.rules()) {
            int last = 0;
            for (int i = 0; i < parts; i++) {
                last = rule.parts().contains(order[i]) ? i : last;
            }
            rulesAt.get(last).add(rule);
        }
        for (int i = parts - 1; i >= 0; i--) {
            bound(i);
        }
    }

    /** The best that the parts from a place in the order on can add; the sum of the best is the best sum, criterion by criterion. */
    final void bound(int place) {
        int p = order[place];
        var part = branch.parts().get(p);
        double rank = mostRank[place + 1];
        double cost = leastCost[place + 1];
        if (part.isSplit()) {
            fill(p, 0, part.total());
            rank += filledRank;
            cost += filledCost;
        } else {
            int option = -1;
            for (int i = 0; i < part.least(); i++) {
                option = next(p, option + 1);
                if (option >= 0) {
                    rank += options[p][option].rank();
                    cost += options[p][option].cost();
                }
            }
        }
        mostRank[place] = rank;
        leastCost[place] = cost;
        leastPieces[place] = leastPieces[place + 1] + part.least();
    }

    void extend(int place, double rank, double cost, int pieces) {
        if (place == parts) {
            if (best.wants(when, pieces, rank, cost)) {
                best.add(new Plan(number, when, starts(), rank, cost, picks));
            }
            return;
        }
        int p = order[place];
        var part = branch.parts().get(p);
        for (int count = part.least(); count <= part.most() && !best.isSpent(); count++) {
            var state = new State(place, count, part.total(), rank, cost, pieces);
            if (p == forcedPart) {
                tryOption(state, forcedOption, 0);
            } else {
                pick(state, 0);
            }
        }
    }

    /** When a group of stages begins in the plan that is being made. */
    long begins(int group) {
        return start;
    }

    private List<Long> starts() {
        return IntStream.range(0, parts)
                .mapToObj(p -> begins(branch.network().group(branch.stages().get(p))) + shift(p))
                .toList();
    }

    /** How far a part has its picks: {@code need} more of them, which add up to {@code left} where amounts count. */
    private record State(int place, int need, int left, double rank, double cost, int pieces) {}

    private void pick(State state, int from) {
        int p = order[state.place()];
        if (state.need() == 0) {
            if (rulesHold(state.place())) {
                extend(state.place() + 1, state.rank(), state.cost(), state.pieces());
            }
            return;
        }
        for (int o = next(p, from); o >= 0 && !best.isSpent(); o = next(p, o + 1)) {
            if (p == forcedPart && o == forcedOption) {
                continue;
            }
            if (!isWanted(state, o)) {
                return;
            }
            tryOption(state, o, o + 1);
        }
    }

    /** Whether it is of use to serve all that is open of a part with options no better than this one. */
    private boolean isWanted(State state, int o) {
        var part = branch.parts().get(order[state.place()]);
        var option = options[order[state.place()]][o];
        int after = state.place() + 1;
        double rank = state.need() * option.rank();
        double cost = state.need() * option.cost();
        if (part.isSplit()) {
            fill(order[state.place()], o, state.left());
            rank = filledRank;
            cost = filledCost;
        }
        return best.wants(
                when,
                state.pieces() + state.need() + leastPieces[after],
                state.rank() + rank + mostRank[after],
                state.cost() + cost + leastCost[after]);
    }

    /** What so much of a split part comes to at best, if options from one on serve it, in pieces however small and many. */
    private void fill(int p, int from, int total) {
        filledRank = 0;
        filledCost = 0;
        int left = total;
        for (int o = next(p, from); o >= 0 && left > 0; o = next(p, o + 1)) {
            int amount = Math.min(left, options[p][o].amount());
            double weight = branch.parts().get(p).weight(amount);
            filledRank += weight * options[p][o].rank();
            filledCost += weight * options[p][o].cost();
            left -= amount;
        }
    }

    private void tryOption(State state, int o, int nextFrom) {
        int p = order[state.place()];
        int spot = places[p][o];
        if ((spot >= 0 && (taken[spot] & rivals[p]) != 0) || !best.step()) {
            return;
        }
        var part = branch.parts().get(p);
        var option = options[p][o];
        int left = 0;
        if (part.isSplit()) {
            // The better options come first, so each gives as much as it can.
            int more = state.need() - 1;
            int amount = Math.min(option.amount(), state.left() - more * part.leastPiece());
            left = state.left() - amount;
            if (amount < part.leastPiece() || left > most[p][more] || isDominated(p, o)) {
                return;
            }
            option = option.giving(amount);
        }
        long mine = 1L << branch.stages().get(p);
        if (spot >= 0) {
            taken[spot] |= mine;
        }
        picks.get(p).add(option);
        double weight = part.weight(option.amount());
        pick(
                new State(
                        state.place(),
                        state.need() - 1,
                        left,
                        state.rank() + weight * option.rank(),
                        state.cost() + weight * option.cost(),
                        state.pieces() + 1),
                nextFrom);
        picks.get(p).remove(picks.get(p).size() - 1);
        if (spot >= 0) {
            taken[spot] &= ~mine;
        }
    }

    private boolean rulesHold(int place) {
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
