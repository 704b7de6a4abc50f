package org.metasched.simulation.result;

import org.metasched.adapter.simulated.LocalJob;

/**
 * A local job that ran.
 *
 * @param site index into the scenario's sites
 * @param submitted second of the run, like the others
 */
public record LocalRecord(int site, LocalJob job, long submitted, long start, long end) {

    public long waited() {
        return start - submitted;
    }

    public double boundedSlowdown() {
        return Slowdown.bounded(waited(), end - start);
    }
}
