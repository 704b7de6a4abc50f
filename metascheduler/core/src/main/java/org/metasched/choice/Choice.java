package org.metasched.choice;

import java.util.List;
import java.util.Optional;

/**
 * Decides over windows who serves what, and when: the best plans in the order of a {@link Preference}, over all alternatives as
 * one search. Stateless and thread-safe.
 *
 * <p>One sweep over time. In the best plan that begins at a given set of windows, some window opens at the start itself, so only the
 * starts at which a window opens are looked at, and there only plans with a place that has just become free; a branch and bound
 * over the places that are free then finds the best of these. With {@code w} windows, the sweep costs {@code O(w log w)} and the
 * searches; a search ends at its first plan if nothing ties and no rule refuses, but may be exponential in the number of parts.
 *
 * <p>Stages that may wait for each other are one search over the starts of each: see {@link ChoiceBranch#network}.
 *
 * <p>Anytime: {@link #decide} stops after so many steps with the best it has found.
 */
public final class Choice {

    /** Steps after which a search ends that its caller does not limit. */
    public static final long MOST_STEPS = 20_000_000;

    private Choice() {}

    /**
     * The best plans.
     *
     * @param from the first start, in seconds since the epoch
     * @param latest the last start, if no stage of the branch waits
     * @param most plans wanted, at least 1
     * @param steps after which the search ends, at least 1
     */
    public static Decision decide(
            List<ChoiceBranch> branches, long from, long latest, Preference preference, int most, long steps) {
        var best = new BestPlans(preference, most, steps);
        for (int i = 0; i < branches.size() && !best.isSpent(); i++) {
            var branch = branches.get(i);
            if (branch.network().isRigid()) {
                new Sweep(i, branch, from, latest, best).run();
            } else {
                new Schedule(i, branch, from, latest, best).run();
            }
        }
        return new Decision(best.plans(), !best.isSpent(), best.steps());
    }

    /** The best plan, if there is one. */
    public static Optional<Plan> best(List<ChoiceBranch> branches, long from, long latest, Preference preference) {
        return decide(branches, from, latest, preference, 1, MOST_STEPS).best();
    }
}
