package org.metasched.adapter.simulated;

import java.time.Instant;

/** Is told when local jobs of a simulated site start. Called while the site is locked: must not ask the site anything. */
@FunctionalInterface
public interface LocalJobWatch {

    /**
     * @param job as in the workload
     * @param submitted time of submission by the site's clock
     * @param start never before {@code submitted}
     * @param end time at which it ends unless its nodes break
     */
    void started(LocalJob job, Instant submitted, Instant start, Instant end);
}
