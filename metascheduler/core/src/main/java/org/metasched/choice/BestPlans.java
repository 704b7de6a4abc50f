package org.metasched.choice;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.choice.Plan.Figures;

/** The best plans so far, and the cost of the search. Of plans that are equally good the first one found stays. Not thread-safe. */
final class BestPlans {

    final Preference preference;
    private final int most;
    private final long mostSteps;
    final List<Plan> plans = new ArrayList<>();
    private Figures worst = new Figures(0, 0, 0, 0);
    private long steps;

    BestPlans(Preference preference, int most, long mostSteps) {
        this.preference = preference;
        this.most = most;
        this.mostSteps = mostSteps;
    }

    long steps() {
        return steps;
    }

    /** Counts a step; returns false once more were counted than are allowed. */
    boolean step() {
        return step(1);
    }

    /** Counts work that costs as much as {@code cost} steps; returns false once more were counted than are allowed. */
    boolean step(int cost) {
        steps += cost;
        return !isSpent();
    }

    /** Whether more steps were counted than are allowed. */
    boolean isSpent() {
        return steps > mostSteps;
    }

    /** Whether a plan of these figures would be added. {@code when} is as in a {@link Plan}. */
    boolean wants(long when, int pieces, double rank, double cost) {
        return plans.size() < most || preference.compare(when, pieces, rank, cost, worst) < 0;
    }

    /** Whether there are as many plans as wanted; better ones may be found still. */
    boolean isFull() {
        return plans.size() == most;
    }

    /** Whether no plan but the best one is wanted. */
    boolean wantsOnlyBest() {
        return most == 1;
    }

    /** Adds a plan in its order, unless an equal one is there, and drops the worst one if there are too many. */
    void add(Plan plan) {
        int at = plans.size();
        while (at > 0 && preference.order().compare(plan, plans.get(at - 1)) < 0) {
            at--;
        }
        if (most > 1 && plans.stream().anyMatch(other -> isSame(plan, other))) {
            return;
        }
        plans.add(at, plan);
        if (plans.size() > most) {
            plans.remove(most);
        }
        worst = plans.get(plans.size() - 1).figures();
    }

    /** Whether both take the same places at the same times, in any order of the picks of a part. */
    private static boolean isSame(Plan a, Plan b) {
        return a.branch() == b.branch()
                && a.starts().equals(b.starts())
                && places(a).equals(places(b));
    }

    private static List<Set<Object>> places(Plan plan) {
        return plan.picks().stream()
                .map(picks -> picks.stream().map(PlaceOption::tag).collect(Collectors.toSet()))
                .toList();
    }
}
