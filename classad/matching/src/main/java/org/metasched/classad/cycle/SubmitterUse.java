package org.metasched.classad.cycle;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Use of each submitter during one cycle, with standings and idle requests as they were at its beginning. */
final class SubmitterUse {

    private final Accountant accountant;
    private final NegotiableResources market;
    private final Map<String, SubmitterStanding> standings = new HashMap<>();
    private final Map<String, Integer> idleAtFirst = new HashMap<>();
    private final Map<String, Double> used = new LinkedHashMap<>();

    SubmitterUse(Accountant accountant, NegotiableResources market) {
        this.accountant = accountant;
        this.market = market;
    }

    void begin(String submitter) {
        SubmitterStanding standing = accountant.standing(submitter);
        standings.put(submitter, standing);
        used.put(submitter, standing.inUse());
        idleAtFirst.put(submitter, market.idle(submitter));
    }

    double of(String submitter) {
        return used.getOrDefault(submitter, 0.0);
    }

    int idleAtFirst(String submitter) {
        return idleAtFirst.getOrDefault(submitter, 0);
    }

    SubmitterStanding standing(String submitter) {
        return standings.computeIfAbsent(submitter, accountant::standing);
    }

    double priority(String submitter) {
        return standing(submitter).priority();
    }

    double of(GroupNode group, GroupNode root) {
        double sum = 0;
        for (var entry : used.entrySet()) {
            sum += root.of(entry.getKey()) == group ? entry.getValue() : 0;
        }
        return sum;
    }

    double inSubtree(GroupNode group, GroupNode root) {
        double sum = of(group, root);
        for (GroupNode child : group.children) {
            sum += inSubtree(child, root);
        }
        return sum;
    }

    void charge(String submitter, double weight) {
        used.merge(submitter, weight, Double::sum);
        accountant.uses(submitter, Math.max(0, of(submitter)));
    }
}
