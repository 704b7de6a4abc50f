package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.classad.index.OfferSet;

/**
 * The largest number of gangs in a cycle. Where roots have one port, or two such that the offers a neighbour of one port allows at
 * the other do not depend on the root, this is a flow from roots through one port's offers to the other's, and {@link PriorityFlow}
 * finds the optimum. Else it is matching in three dimensions, which is NP-hard: then the same flow, with every root allowed what
 * any of them is, gives a bound, and the gangs are those of the dynamic algorithm.
 *
 * <p>The flow knows no ranks. Where roots have ranks and the dynamic algorithm, which honours them, serves the very roots of the optimum, the
 * gangs are its own; else the number comes first and ranks do not count.
 */
final class ExactCycle {

    private ExactCycle() {}

    static CycleOutcome run(List<PortedAd> roots, GangPool pool) {
        FlowModel forward = FlowModel.of(roots, pool, false);
        FlowModel model = forward.isExact() ? forward : FlowModel.of(roots, pool, true);
        Effort effort = model == forward ? forward.effort() : forward.effort().plus(model.effort());
        var flow = new PriorityFlow(model.network());
        int most = flow.run();
        if (model.isExact()) {
            return optimal(roots, pool, model, flow, effort, most);
        }
        if (model != forward) {
            most = Math.min(most, new PriorityFlow(forward.network()).run());
        }
        CycleOutcome greedy = GangCycle.oneByOne(roots, pool, new DynamicGangmatcher());
        return new CycleOutcome(
                greedy.assignments(),
                greedy.effort().plus(effort),
                Optional.of(most),
                greedy.gangs() == most && most == roots.size(),
                greedy.exhaustive());
    }

    private static CycleOutcome optimal(
            List<PortedAd> roots, GangPool pool, FlowModel model, PriorityFlow flow, Effort effort, int most) {
        if (model.isRanked()) {
            CycleOutcome ranked = GangCycle.oneByOne(roots, pool, new DynamicGangmatcher());
            if (servesTheSame(ranked, flow)) {
                return new CycleOutcome(
                        ranked.assignments(), effort.plus(ranked.effort()), Optional.of(most), true, true);
            }
            ranked.assignments()
                    .forEach(assignment -> assignment.gang().ifPresent(gang -> giveBack(gang.root(), pool)));
        }
        int[] binOf = flow.binOf();
        int[] nextInBin = new int[model.bins().size()];
        var assignments = new ArrayList<CycleOutcome.Assignment>(roots.size());
        for (int root = 0; root < roots.size(); root++) {
            Optional<Gang> gang = Optional.empty();
            if (flow.offerOf(root) >= 0) {
                int bin = binOf[root];
                OfferSet others = model.bins().get(bin);
                int second = others.poolSize() == 0 ? -1 : others.next(nextInBin[bin]);
                nextInBin[bin] = second + 1;
                gang = Optional.of(gang(roots.get(root), pool, model, flow.offerOf(root), second));
            }
            assignments.add(new CycleOutcome.Assignment(roots.get(root), gang));
        }
        assignments.forEach(assignment -> assignment.gang().ifPresent(pool::consume));
        return new CycleOutcome(assignments, effort, Optional.of(most), true, true);
    }

    private static boolean servesTheSame(CycleOutcome ranked, PriorityFlow flow) {
        return IntStream.range(0, ranked.assignments().size())
                .allMatch(root -> ranked.assignments().get(root).gang().isPresent() == (flow.offerOf(root) >= 0));
    }

    private static void giveBack(Gang.Member member, GangPool pool) {
        if (member.offer() >= 0) {
            pool.restore(member.offer());
        }
        member.dockings().forEach(docking -> docking.members().forEach(neighbour -> giveBack(neighbour, pool)));
    }

    private static Gang gang(PortedAd ad, GangPool pool, FlowModel model, int first, int second) {
        var root = new Member(ad, -1, -1);
        root.variables().get(model.firstPort(ad.ports().size())).dock(pool.newMember(first), first);
        if (second >= 0) {
            root.variables().get(model.secondPort()).dock(pool.newMember(second), second);
        }
        return new Gang(root.toGang());
    }
}
