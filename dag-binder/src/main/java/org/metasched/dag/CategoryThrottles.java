package org.metasched.dag;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The categories of a scope: those that nodes are in, and those that MAXJOBS limits. Not thread-safe. */
final class CategoryThrottles {

    private final Set<String> used = new HashSet<>();
    private final Map<String, DagProblem> throttles = new HashMap<>();

    void use(String category) {
        used.add(category);
    }

    /** @param unused warning to be given if no node is in the category */
    void throttle(String category, DagProblem unused) {
        throttles.put(category, unused);
    }

    /** Warns of throttled categories without nodes. Before a name, {@code +} makes a category of a splice common to the whole DAG. */
    void check(ProblemList problems) {
        throttles.forEach((category, problem) -> {
            String withoutPlus = category.startsWith("+") ? category.substring(1) : category;
            if (!used.contains(category) && !used.contains(withoutPlus)) {
                problems.warning(problem);
            }
        });
    }
}
