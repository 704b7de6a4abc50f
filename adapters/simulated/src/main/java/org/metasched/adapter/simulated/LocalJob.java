package org.metasched.adapter.simulated;

/**
 * A job of the site's own users.
 *
 * @param number number of the job in its trace or model, or −1
 * @param submitSeconds seconds from the start of its workload to its submission
 * @param runSeconds seconds that it really runs, at most its estimate, after which it is killed; 0 if it ends at once
 * @param estimateSeconds seconds that its user gave as its longest run time, at least 1
 * @param nodes number of nodes, at least 1
 */
public record LocalJob(long number, long submitSeconds, long runSeconds, long estimateSeconds, int nodes) {

    public LocalJob {
        if (runSeconds < 0 || estimateSeconds < Math.max(1, runSeconds) || nodes < 1) {
            throw new IllegalArgumentException("A local job must run 0 seconds or more (" + runSeconds
                    + "), no longer than its estimate (" + estimateSeconds + "), on 1 node or more (" + nodes + ").");
        }
    }

    long nodeSeconds() {
        return runSeconds * nodes;
    }
}
