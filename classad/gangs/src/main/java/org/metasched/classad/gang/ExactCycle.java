package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The algorithm for the largest number of gangs in a cycle. {@link PriorityFlow} finds the optimum where roots have one port, or two such
 * that the offers that a neighbour at one port allows at the other do not depend on the root: it is then a flow from the roots through the
 * offers of one port to those of the other. Else the problem is matching in three dimensions, which is NP-hard. Then a relaxed flow, in
 * which an offer allows every root what it allows any of them, gives a bound for each pair of neighbouring ports, and {@link
 * BranchAndBound} seeks more gangs than the dynamic algorithm makes.
 *
 * <p>The flow knows no ranks. Where roots have ranks, the dynamic algorithm, which honours them, runs too: if it serves exactly the roots of
 * the optimum, its gangs are the outcome; else those of the flow are, with a note that ranks did not decide.
 */
final class ExactCycle {

    private ExactCycle() {}

    /** Runs a cycle and consumes the offers of its gangs. */
    static CycleOutcome run(List<PortedAd> roots, GangPool pool) {
        SearchEffort effort = SearchEffort.NONE;
        int most = roots.size();
        for (int rotation = 0; rotation < rotations(roots); rotation++) {
            FlowModel model = new FlowExploration(pool, rotation).model(roots);
            effort = effort.plus(model.effort());
            var flow = new PriorityFlow(model.network());
            most = Math.min(most, flow.run());
            if (model.isExact()) {
                return optimal(roots, pool, model, flow, effort, most);
            }
        }
        CycleOutcome greedy = GangCycle.oneByOne(roots, pool, new DynamicGangmatcher());
        return greedy.gangs() == most
                ? optimum(greedy, effort, greedy.exhaustive())
                : new BranchAndBound(roots, pool, most).improve(greedy, effort);
    }

    /** The outcome of another algorithm that made the largest possible number of gangs. */
    private static CycleOutcome optimum(CycleOutcome found, SearchEffort before, boolean exhaustive) {
        var bound = Optional.of(found.gangs());
        return new CycleOutcome(
                found.assignments(), found.effort().plus(before), bound, true, exhaustive, Optional.empty());
    }

    /**
     * The number of rotations to try: one for each port of the root with the most, and at least two. None if a root needs no offer, which a
     * flow cannot express.
     */
    static int rotations(List<PortedAd> roots) {
        return roots.stream().allMatch(root -> root.ports().stream().anyMatch(port -> port.least() > 0))
                ? roots.stream().mapToInt(root -> root.ports().size()).reduce(2, Math::max)
                : 0;
    }

    private static CycleOutcome optimal(
            List<PortedAd> roots, GangPool pool, FlowModel model, PriorityFlow flow, SearchEffort effort, int most) {
        if (model.isRanked()) {
            CycleOutcome ranked = GangCycle.oneByOne(roots, pool, new DynamicGangmatcher());
            if (servesTheSame(ranked, flow)) {
                return optimum(ranked, effort, true);
            }
            ranked.assignments().forEach(assignment -> assignment.gang().ifPresent(pool::giveBack));
        }
        var assignments = new ArrayList<CycleOutcome.Assignment>(roots.size());
        for (int root = 0; root < roots.size(); root++) {
            Optional<Gang> gang = flow.firstOf(root) < 0
                    ? Optional.empty()
                    : Optional.of(
                            pool.gang(roots.get(root), model.inTextOrder(flow.firstOf(root), flow.secondOf(root))));
            assignments.add(new CycleOutcome.Assignment(roots.get(root), gang));
        }
        assignments.forEach(assignment -> assignment.gang().ifPresent(pool::consume));
        return new CycleOutcome(assignments, effort, Optional.of(most), true, true, rankNote(model.isRanked()));
    }

    private static boolean servesTheSame(CycleOutcome ranked, PriorityFlow flow) {
        return IntStream.range(0, ranked.assignments().size())
                .allMatch(root -> ranked.assignments().get(root).gang().isPresent() == (flow.firstOf(root) >= 0));
    }

    /** A note for ranked searches, where more gangs are worth more than better ones. */
    static Optional<String> rankNote(boolean ranked) {
        return ranked
                ? Optional.of(
                        "The gangs are as many as were found, not the best by Rank: with the best neighbour of each"
                                + " root there are fewer. --algorithm dynamic takes these.")
                : Optional.empty();
    }
}
