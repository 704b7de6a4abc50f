package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;

/** A local job that waits, and its place in the plan if it has one. */
final class QueuedJob {

    final LocalJob job;
    final Instant submitted;
    /** The real run time. */
    final Duration run;
    /** The longest run time, by which the job is planned. */
    final Duration estimate;

    Optional<Place> place = Optional.empty();

    /**
     * Nodes for a job.
     *
     * @param slot time of the place, as long as the job's estimate
     */
    record Place(TimeSlot slot, BitSet nodes) {}

    QueuedJob(LocalJob job, WorkloadReplay replay) {
        this.job = job;
        this.submitted = replay.at(job.submitSeconds());
        this.run = job.runSeconds() == 0 ? Duration.ZERO : replay.lasting(job.runSeconds());
        this.estimate = replay.lasting(job.estimateSeconds());
    }

    int nodes() {
        return job.nodes();
    }
}
