package org.metasched.adapter.simulated;

/**
 * A job of the site's own users.
 *
 * @param submitSeconds since the beginning of its workload
 * @param runSeconds how long it really runs, at least 1, no longer than its estimate (it would be killed)
 * @param estimateSeconds how long its user said it would run at most
 * @param nodes at least 1
 */
public record LocalJob(long submitSeconds, long runSeconds, long estimateSeconds, int nodes) {

    public LocalJob {
        if (runSeconds < 1 || estimateSeconds < runSeconds || nodes < 1) {
            throw new IllegalArgumentException("A local job must run 1 second or more (" + runSeconds
                    + "), no longer than its estimate (" + estimateSeconds + "), on 1 node or more (" + nodes + ").");
        }
    }

    long nodeSeconds() {
        return runSeconds * nodes;
    }
}
