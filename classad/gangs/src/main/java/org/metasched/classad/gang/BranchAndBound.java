package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The search for as many gangs as possible where the flow of {@link ExactCycle} is only a bound: depth first over the roots in priority order, each with every gang
 * that it may have and without one. A branch is cut off where the flows of the remaining roots allow no more gangs than the best so far. The
 * dynamic algorithm finds a root's gangs: first the best by rank, then those without some offers of earlier ones.
 *
 * <p>Exponential at worst, so it ends after a limit of work with the best it has found. For one use, by one thread.
 */
final class BranchAndBound {

    /** The most work: roots and entries that are read, approximately; one takes less than a microsecond. */
    private static final long MOST_WORK = 2_000_000;
    /** The work that each search and each flow costs beside the roots and entries that it reads. */
    private static final long CALL = 200;

    private final List<PortedAd> roots;
    private final GangPool pool;
    private final int most;
    /** The number of flows that bound the gangs, each from another port on ({@link FlowExploration}); 0 if no flow bounds them. */
    private final int rotations;

    private final Gangmatcher matcher = new DynamicGangmatcher();
    private final List<Optional<Gang>> chosen = new ArrayList<>();
    /** States that have been searched: a root, the number of gangs so far, and the free offers. */
    private final Set<List<Object>> seen = new HashSet<>();

    private List<Optional<Gang>> best = List.of();
    private int bestGangs;
    private SearchEffort effort = SearchEffort.NONE;
    private long work;
    private boolean cutShort;

    /** @param most upper bound of the number of gangs, by the flows of all roots */
    BranchAndBound(List<PortedAd> roots, GangPool pool, int most) {
        this.roots = roots;
        this.pool = pool;
        this.most = most;
        this.rotations = ExactCycle.rotations(roots);
    }

    /** An outcome with more gangs than that of another algorithm, or else that outcome; its offers are consumed from the pool. */
    CycleOutcome improve(CycleOutcome greedy, SearchEffort before) {
        var greedyGangs =
                greedy.assignments().stream().map(CycleOutcome.Assignment::gang).toList();
        best = greedyGangs;
        bestGangs = greedy.gangs();
        greedyGangs.forEach(gang -> gang.ifPresent(pool::giveBack));
        // One descent through all roots must be affordable, or the search finds nothing, or exhausts the stack.
        cutShort = (long) roots.size() * Math.max(1, rotations) * (roots.size() / 2 + pool.index.size()) > MOST_WORK;
        extend(0);
        best.forEach(gang -> gang.ifPresent(pool::consume));
        var assignments = IntStream.range(0, roots.size())
                .mapToObj(root -> new CycleOutcome.Assignment(roots.get(root), best.get(root)))
                .toList();
        boolean optimal = !cutShort || bestGangs == most;
        boolean ranked = best != greedyGangs
                && roots.stream().anyMatch(root -> pool.classes.of(root).isRanked());
        return new CycleOutcome(
                assignments,
                before.plus(greedy.effort()).plus(effort),
                Optional.of(optimal ? bestGangs : most),
                optimal,
                greedy.exhaustive(),
                ExactCycle.rankNote(ranked));
    }

    /** Adds to the work; returns whether the search has spent all that it may. */
    private boolean spend(long cost) {
        work += cost + CALL;
        cutShort |= work > MOST_WORK;
        return cutShort;
    }

    private int count() {
        return (int) chosen.stream().filter(Optional::isPresent).count();
    }

    private void extend(int root) {
        if (root == roots.size() && count() > bestGangs) {
            bestGangs = count();
            best = List.copyOf(chosen);
        }
        if (root == roots.size() || !seen.add(List.of(root, count(), pool.free().copy())) || !mayBeMore(root)) {
            return;
        }
        eachGang(root);
        chosen.add(Optional.empty());
        extend(root + 1);
        chosen.remove(root);
    }

    /** Whether the roots from {@code root} on may get enough gangs for more than the best so far. */
    private boolean mayBeMore(int root) {
        var rest = roots.subList(root, roots.size());
        int needed = bestGangs + 1 - count();
        for (int rotation = 0; rotation < rotations && needed <= rest.size() && !cutShort; rotation++) {
            if (spend(rest.size() + pool.index.size())) {
                return false;
            }
            var model = new FlowExploration(pool, rotation).model(rest);
            effort = effort.plus(model.effort());
            if (new PriorityFlow(model.network()).run() < needed) {
                return false;
            }
        }
        return needed <= rest.size() && !cutShort;
    }

    /** Extends the search by each gang of a root; after a gang, those without one of its offers are sought. */
    private void eachGang(int root) {
        var tried = new HashSet<Set<Integer>>();
        var gangs = new HashSet<Set<Integer>>();
        var toTry = new ArrayDeque<Set<Integer>>(List.of(Set.of()));
        while (!toTry.isEmpty() && bestGangs < most && !spend(pool.index.size())) {
            var without = toTry.remove();
            without.forEach(pool::takeAd);
            var found = matcher.marshal(roots.get(root), pool);
            without.forEach(pool::restore);
            effort = effort.plus(found.effort());
            cutShort |= !found.exhaustive();
            if (found.gang().isEmpty()) {
                continue;
            }
            var gang = found.gang().get();
            for (int offer : gang.offers()) {
                var more = new TreeSet<>(without);
                more.add(offer);
                if (tried.add(more)) {
                    toTry.add(more);
                }
            }
            if (gangs.add(Set.copyOf(gang.offers()))) {
                pool.consume(gang);
                chosen.add(found.gang());
                extend(root + 1);
                chosen.remove(root);
                pool.giveBack(gang);
            }
        }
    }
}
