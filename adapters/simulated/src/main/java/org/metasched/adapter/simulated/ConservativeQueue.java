package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.function.Supplier;
import org.metasched.slots.NodePlan;

/**
 * Conservative backfilling: every job that waits has its place in the plan. When nodes become free earlier than planned, all
 * of them are placed anew in queue order; as long as they do not, that would change nothing, and only newcomers are placed.
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
