package org.metasched.classad.cycle;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The weight that each submitter uses during one cycle, with its standing and its waiting requests at the beginning of the cycle. Names of
 * submitters are case-insensitive.
 */
final class SubmitterUse {

    private final Accountant accountant;
    private final NegotiableResources resources;
    private final GroupNode root;
    private final Map<String, SubmitterStanding> standings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, Integer> waitingAtFirst = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, Double> used = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<GroupNode, Double> usedByGroup = new HashMap<>();

    SubmitterUse(Accountant accountant, NegotiableResources resources, GroupNode root) {
        this.accountant = accountant;
        this.resources = resources;
        this.root = root;
    }

    /** Records the standing, the use and the waiting requests of a submitter; to be called once for each. */
    void begin(String submitter) {
        SubmitterStanding standing = accountant.standing(submitter);
        standings.put(submitter, standing);
        add(submitter, standing.inUse());
        waitingAtFirst.put(submitter, resources.waiting(submitter));
    }

    /** The weight of the slots that a submitter uses now. */
    double of(String submitter) {
        return used.getOrDefault(submitter, 0.0);
    }

    /** The number of slots for which the submitter's requests waited at the beginning of the cycle. */
    int waitingAtFirst(String submitter) {
        return waitingAtFirst.getOrDefault(submitter, 0);
    }

    /** The standing of a submitter at the beginning of the cycle. */
    SubmitterStanding standing(String submitter) {
        return standings.computeIfAbsent(submitter, accountant::standing);
    }

    /** The effective priority of a submitter: a smaller number is better. */
    double priority(String submitter) {
        return standing(submitter).priority();
    }

    /** The weight that the submitters of a group use, without those of its subgroups. {@code O(1)}. */
    double of(GroupNode group) {
        return usedByGroup.getOrDefault(group, 0.0);
    }

    /** The weight that the submitters of a group and of its subgroups use. */
    double inSubtree(GroupNode group) {
        return group.breadthFirst().stream().mapToDouble(this::of).sum();
    }

    /** Adds a weight, negative for slots that are lost, to the use of a submitter, also at the accountant. */
    void charge(String submitter, double weight) {
        add(submitter, weight);
        accountant.uses(submitter, Math.max(0, of(submitter)));
    }

    private void add(String submitter, double weight) {
        used.merge(submitter, weight, Double::sum);
        usedByGroup.merge(root.of(submitter), weight, Double::sum);
    }
}
