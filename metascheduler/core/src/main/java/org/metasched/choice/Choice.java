package org.metasched.choice;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides which places serve the parts of a request, and when: the best plans in the order of a {@link Preference}. All alternatives of one
 * {@linkplain ChoiceBranch#order order} are one search, the lowest order first. Stateless and thread-safe.
 *
 * <p>One sweep over time: in the best plan, some window opens at the start itself. So only starts at which a window opens are considered,
 * and only plans with a place that has just become free; a branch and bound over the free places finds the best of these. With {@code w}
 * windows, the sweep costs {@code O(w log w)} and the searches. A search ends at its first plan if nothing ties and no rule refuses; it may
 * be exponential in the number of parts.
 *
 * <p>Stages that may wait for each other need one search over the starts of all stages instead: see {@link ChoiceBranch#network}.
 *
 * <p>Parts that want the same are one part with several picks. If rank or cost are preferred, the best few options of each part are swept
 * first; a plan of them rules out every option that cannot be in a better one.
 *
 * <p>The search may be cut off at any time: {@link #decide} stops after a number of steps with the best plans it has found.
 */
public final class Choice {

    /** Steps after which a search without a caller's limit ends: less than a second of processor time. */
    public static final long MOST_STEPS = 8_000_000;

    /** Options of each part in the first sweep, if rank or cost are preferred; each further sweep has {@link #GROWTH} times as many. */
    private static final int FIRST_OPTIONS = 256;

    private static final int GROWTH = 8;

    private Choice() {}

    /**
     * The best plans.
     *
     * @param from the first possible start, in seconds since the epoch
     * @param latest the last possible {@link Plan#when}, without the delay of the alternative
     * @param most number of plans wanted, at least 1
     * @param steps number of steps after which the search ends, at least 1
     */
    public static ChoiceDecision decide(
            List<ChoiceBranch> branches, long from, long latest, Preference preference, int most, long steps) {
        var orders =
                branches.stream().map(ChoiceBranch::order).distinct().sorted().toList();
        var plans = new ArrayList<Plan>();
        long stepsTaken = 0;
        for (int order : orders) {
            var best = new BestPlans(preference, most - plans.size(), steps - stepsTaken);
            var decision = decide(branches, order, from, latest, best, FIRST_OPTIONS);
            plans.addAll(decision.plans());
            stepsTaken += decision.steps();
            if (plans.size() == most || !decision.proven()) {
                return new ChoiceDecision(plans, decision.proven(), stepsTaken);
            }
        }
        return new ChoiceDecision(plans, true, stepsTaken);
    }

    /**
     * The best plans of the branches of one order.
     *
     * @param first number of options of each part that are swept before the others, if rank or cost are preferred
     */
    static ChoiceDecision decide(
            List<ChoiceBranch> branches, int order, long from, long latest, BestPlans best, int first) {
        var symmetries = branches.stream().map(SymmetryBreaking::of).toList();
        for (int i = 0; i < branches.size() && !best.isSpent(); i++) {
            var branch = symmetries.get(i).merged();
            if (branch.order() != order) {
                continue;
            }
            if (branch.network().isRigid()) {
                sweep(i, branch, from, latest, best, first);
            } else {
                new WorkflowSearch(i, branch, from, latest, best).run();
            }
        }
        var plans = best.plans.stream()
                .map(plan -> symmetries.get(plan.branch()).expanded(plan))
                .toList();
        return new ChoiceDecision(plans, !best.isSpent(), best.steps());
    }

    /** Sweeps a branch. If rank or cost are preferred, it sweeps the best options first: their plans rule most others out. */
    private static void sweep(int number, ChoiceBranch branch, long from, long latest, BestPlans best, int first) {
        var upperBound = new UpperBound(branch, best.preference);
        int largest =
                branch.parts().stream().mapToInt(p -> p.options().size()).max().orElse(0);
        boolean prefersStart = best.preference == Preference.START;
        for (long count = first; !prefersStart && !best.isFull() && count < largest; count *= GROWTH) {
            new EventSweep(number, upperBound.best((int) count), from, latest, best).run();
        }
        new EventSweep(number, best.isFull() ? upperBound.kept(best) : branch, from, latest, best).run();
    }
}
