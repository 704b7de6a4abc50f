package org.metasched.simulation.result;

import org.metasched.adapter.simulated.LocalJob;

/**
 * A local job that ran.
 *
 * @param site index into the scenario's sites
 * @param submitted second of the run in which it was submitted
 * @param start second in which it started
 * @param end second in which it ended
 */
public record LocalRecord(int site, LocalJob job, long submitted, long start, long end) {

    /** Seconds from submission to start. */
    public long waited() {
        return start - submitted;
    }

    /** Response over run time, with short jobs counted as if they ran 10 s. */
    public double boundedSlowdown() {
        return Slowdown.bounded(waited(), end - start);
    }
}
