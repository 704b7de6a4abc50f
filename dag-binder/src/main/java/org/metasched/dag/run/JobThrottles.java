package org.metasched.dag.run;

import java.util.HashMap;
import java.util.Map;
import org.metasched.dag.NodeKind;

/** Limits on the nodes with jobs in the queue, of the whole DAG and of each category. SERVICE nodes do not count. Not thread-safe. */
final class JobThrottles {

    private final int maxJobs;
    private final Map<String, Integer> limits;
    private final Map<String, Integer> inCategory = new HashMap<>();
    private int withJobs;

    /**
     * @param maxJobs greatest number of nodes; 0 for any number
     * @param limits greatest number by category; 0 or less for any number
     */
    JobThrottles(int maxJobs, Map<String, Integer> limits) {
        this.maxJobs = maxJobs;
        this.limits = limits;
    }

    /** Whether no node at all is admitted. */
    boolean isFull() {
        return maxJobs > 0 && withJobs >= maxJobs;
    }

    boolean admits(RunNode node) {
        String category = node.node().rules().category();
        int most = category.isEmpty() ? 0 : limits.getOrDefault(category, 0);
        return most <= 0 || inCategory.getOrDefault(category, 0) < most;
    }

    /** @param change 1 when the node's jobs enter the queue, -1 when the last of them has left it */
    void count(RunNode node, int change) {
        if (node.node().kind() != NodeKind.SERVICE) {
            withJobs += change;
            inCategory.merge(node.node().rules().category(), change, Integer::sum);
        }
    }

    void clear() {
        withJobs = 0;
        inCategory.clear();
    }
}
