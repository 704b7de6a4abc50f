package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.function.Supplier;
import org.metasched.slots.NodePlan;

/**
 * Conservative backfilling: every job that waits has its place in the plan. When nodes become free earlier than planned, all jobs are
 * placed again in queue order; otherwise only new jobs are placed, since the others would get the same places.
 */
final class ConservativeQueue extends LocalQueue {

    ConservativeQueue(NodePlan plan, Supplier<BitSet> usable) {
        super(plan, usable);
    }

    @Override
    void plan(Instant now, boolean freed) {
        if (freed) {
            waiting.forEach(this::unplace);
        }
        for (var job : waiting) {
            if (job.place.isEmpty()) {
                place(job, now);
            }
        }
    }
}
