package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * What the scheduler that comes with PBS does unless it is configured: in queue order every job that fits now starts, and a
 * place is kept only for the first job that has waited so long that it starves.
 */
final class FirstFitQueue extends LocalQueue {

    /** The usual value of PBS's {@code max_starve}. */
    private static final Duration STARVING = Duration.ofDays(1);

    FirstFitQueue(NodePlan plan, Supplier<BitSet> usable) {
        super(plan, usable);
    }

    @Override
    void plan(Instant now, boolean freed) {
        backfill(now, job -> !job.submitted().plus(STARVING).isAfter(now));
    }
}
