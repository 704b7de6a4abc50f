package org.metasched.choice;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.choice.PartOptions.Sum;

/**
 * The search for the best plans of a branch among the options that are free at one start: depth first over the parts, each part's options
 * best first. It is cut off where even the best options of the remaining parts make no plan that is wanted. Not thread-safe.
 */
class BranchAndBoundSearch {

    final ChoiceBranch branch;
    final BestPlans best;
    final PartOptions[] parts;
    /** The order in which parts get their picks. */
    final int[] order;
    /** For each position in the order, the best figures that the parts from there on can add, each figure on its own. */
    final Sum[] bounds;
    /** {@link Plan#when} of the plans that are searched; a lower bound of it if stages may wait. */
    long when;

    /** Index of the branch. */
    private final int number;
    /** For each place by its number, the stages in which it is taken, as bits. */
    private final long[] taken;

    private final PlanPicks picks;
    private final Sum sum = new Sum();
    private long start;
    private @Nullable Forced forced;

    /** A pick that every plan must have. */
    private record Forced(int part, int option) {}

    BranchAndBoundSearch(int number, ChoiceBranch branch, BestPlans best) {
        this.number = number;
        this.branch = branch;
        this.best = best;
        int count = branch.parts().size();
        this.parts = new PartOptions[count];
        this.bounds = new Sum[count + 1];
        Map<String, Integer> numberOf = new HashMap<>();
        for (int p = 0; p < count; p++) {
            long rivals = rivals(branch.stages().get(p));
            parts[p] = new PartOptions(branch.parts().get(p), rivals, shift(p), best, numberOf);
            bounds[p] = new Sum();
        }
        this.bounds[count] = new Sum();
        this.order = IntStream.range(0, count).toArray();
        this.taken = new long[numberOf.size()];
        this.picks = new PlanPicks(count, branch.rules());
    }

    /** The time in seconds from the start of the group that a part moves with to the start of the part. */
    private long shift(int part) {
        int stage = branch.stages().get(part);
        return branch.network().gap(branch.network().group(stage), stage);
    }

    /** The stages that may run at the same time as a stage, as bits. */
    private long rivals(int stage) {
        long rivals = 0;
        for (int other = 0; other < branch.network().stages(); other++) {
            rivals |= branch.network().areApart(stage, other) ? 0 : 1L << other;
        }
        return rivals;
    }

    /** Whether two parts may want one place at the same time. */
    final boolean areRivals(int a, int b) {
        return (parts[a].rivals >> branch.stages().get(b) & 1) != 0 && parts[a].sharesPlaceWith(parts[b]);
    }

    /** Moves to a start; returns whether each part on its own has as many options there as it needs. */
    final boolean moveTo(long at) {
        start = at;
        for (var part : parts) {
            if (!part.moveTo(at)) {
                return false;
            }
        }
        return true;
    }

    /** {@link Plan#when} of a plan whose stage 0 begins at a start. */
    final long when(long at) {
        return at - branch.network().head(0) + branch.delay();
    }

    /** Searches the plans at the start to which {@link #moveTo} moved: those with the given option, or all of them if {@code part} is -1. */
    final void search(int part, int option) {
        when = when(start);
        // The pieces of a split part are taken in their order only, so that the better ones are as large as possible.
        forced = part >= 0 && !branch.parts().get(part).isSplit() ? new Forced(part, option) : null;
        int first = forced == null ? -1 : part;
        int size = 0;
        if (first >= 0) {
            order[size++] = first;
        }
        for (int p = 0; p < parts.length; p++) {
            if (p != first) {
                order[size++] = p;
            }
        }
        prepare();
        if (wants(0, 0, 0, 0) && haveTotals()) {
            extend(0, 0, 0, 0);
        }
    }

    private boolean haveTotals() {
        for (var part : parts) {
            if (!part.hasTotal()) {
                return false;
            }
        }
        return true;
    }

    /** Prepares rules and bounds for the order of the parts, when all options that matter are open. */
    final void prepare() {
        picks.sort(order);
        for (int i = parts.length - 1; i >= 0; i--) {
            computeBound(i);
        }
    }

    /** Computes the best figures that the parts from a position in the order on can add. */
    final void computeBound(int position) {
        var part = parts[order[position]];
        var after = bounds[position + 1];
        bounds[position].set(after.pieces + part.part.least(), after.rank, after.cost);
        part.addBest(bounds[position]);
    }

    /** Whether picks of these figures with the best of the parts from a position in the order on would make a wanted plan. */
    final boolean wants(int position, int pieces, double rank, double cost) {
        var rest = bounds[position];
        return best.wants(when, pieces + rest.pieces, rank + rest.rank, cost + rest.cost);
    }

    /** Tries all picks of the part at a position, and of those after it; the figures are those of the picks so far. */
    void extend(int position, int pieces, double rank, double cost) {
        if (position == parts.length) {
            if (best.wants(when, pieces, rank, cost)) {
                best.add(new Plan(number, when, starts(), rank, cost, picks.all()));
            }
            return;
        }
        var part = branch.parts().get(order[position]);
        for (int count = part.least(); count <= part.most() && !best.isSpent(); count++) {
            var state = new State(position, count, part.total(), pieces, rank, cost);
            if (forced != null && order[position] == forced.part()) {
                tryOption(state, forced.option(), 0);
            } else {
                pick(state, 0);
            }
        }
    }

    /** Start of a group of stages in the plan that is being made. */
    long startOf(int group) {
        return start;
    }

    private List<Long> starts() {
        return IntStream.range(0, parts.length)
                .mapToObj(p -> startOf(branch.network().group(branch.stages().get(p))) + shift(p))
                .toList();
    }

    /**
     * Progress at one part; the figures are those of all picks so far.
     *
     * @param need picks that the part still needs
     * @param left amount that these picks must give together, if the part is split
     */
    private record State(int position, int need, int left, int pieces, double rank, double cost) {}

    private void pick(State state, int from) {
        int p = order[state.position()];
        if (state.need() == 0) {
            if (picks.rulesHoldAt(state.position())) {
                extend(state.position() + 1, state.pieces(), state.rank(), state.cost());
            }
            return;
        }
        var part = parts[p];
        for (int o = part.next(from); o >= 0 && !best.isSpent(); o = part.next(o + 1)) {
            if (forced != null && p == forced.part() && o == forced.option()) {
                continue;
            }
            if (!isWanted(state, part, o)) {
                return;
            }
            tryOption(state, o, o + 1);
        }
    }

    /** Whether a plan may still be wanted if options no better than the one with index {@code o} serve the rest of the part. */
    private boolean isWanted(State state, PartOptions part, int o) {
        sum.set(0, state.rank(), state.cost());
        if (part.part.isSplit()) {
            part.addBest(o, state.left(), sum);
        } else {
            sum.add(state.need(), part.option(o));
        }
        return wants(state.position() + 1, state.pieces() + state.need(), sum.rank, sum.cost);
    }

    private void tryOption(State state, int o, int nextFrom) {
        int p = order[state.position()];
        var options = parts[p];
        int placeNumber = options.place(o);
        if ((placeNumber >= 0 && (taken[placeNumber] & options.rivals) != 0) || !best.step()) {
            return;
        }
        var part = options.part;
        var option = options.option(o);
        int left = 0;
        if (part.isSplit()) {
            // The better options come first, so each gives as much as it can.
            int more = state.need() - 1;
            int amount = Math.min(option.amount(), state.left() - more * part.leastPiece());
            left = state.left() - amount;
            if (amount < part.leastPiece() || left > options.most(more) || options.isDominated(o)) {
                return;
            }
            option = option.giving(amount);
        }
        long stageBit = 1L << branch.stages().get(p);
        if (placeNumber >= 0) {
            taken[placeNumber] |= stageBit;
        }
        picks.add(p, option);
        double weight = part.weight(option.amount());
        pick(
                new State(
                        state.position(),
                        state.need() - 1,
                        left,
                        state.pieces() + 1,
                        state.rank() + weight * option.rank(),
                        state.cost() + weight * option.cost()),
                nextFrom);
        picks.removeLast(p);
        if (placeNumber >= 0) {
            taken[placeNumber] &= ~stageBit;
        }
    }
}
