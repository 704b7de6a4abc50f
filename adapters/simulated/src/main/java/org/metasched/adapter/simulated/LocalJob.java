package org.metasched.adapter.simulated;

/**
 * A job of the site's own users.
 *
 * @param number of the job in its trace, or −1
 * @param submitSeconds since the beginning of its workload
 * @param runSeconds how long it really runs, no longer than its estimate (it would be killed); 0 when it ended at once
 * @param estimateSeconds how long its user said it would run at most, at least 1
 * @param nodes at least 1
 */
public record LocalJob(long number, long submitSeconds, long runSeconds, long estimateSeconds, int nodes) {

    public LocalJob {
        if (runSeconds < 0 || estimateSeconds < Math.max(1, runSeconds) || nodes < 1) {
            throw new IllegalArgumentException("A local job must run 0 seconds or more (" + runSeconds
                    + "), no longer than its estimate (" + estimateSeconds + "), on 1 node or more (" + nodes + ").");
        }
    }

    public LocalJob(long submitSeconds, long runSeconds, long estimateSeconds, int nodes) {
        this(-1, submitSeconds, runSeconds, estimateSeconds, nodes);
    }

    long nodeSeconds() {
        return runSeconds * nodes;
    }
}
