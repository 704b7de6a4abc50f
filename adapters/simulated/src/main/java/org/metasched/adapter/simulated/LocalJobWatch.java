package org.metasched.adapter.simulated;

import java.time.Instant;

/** Receives the starts of local jobs of a simulated site. Called while the site is locked: must not ask the site anything. */
@FunctionalInterface
public interface LocalJobWatch {

    /**
     * Notes that a job starts.
     *
     * @param job the job of the workload
     * @param submitted time of submission by the site's clock
     * @param start never before {@code submitted}
     * @param end time at which it ends unless its nodes break
     */
    void started(LocalJob job, Instant submitted, Instant start, Instant end);
}
