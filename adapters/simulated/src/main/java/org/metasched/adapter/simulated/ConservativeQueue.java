package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.metasched.slots.NodeProfile;

/** Conservative backfilling: every job has its place in the plan from the start, and may only move forward. */
final class ConservativeQueue extends LocalQueue {

    ConservativeQueue(NodeProfile plan, Supplier<BitSet> usable) {
        super(plan, usable);
    }

    @Override
    void add(QueuedJob job, Instant now) {
        waiting.add(job);
        place(job, now);
    }

    @Override
    void ended(Instant now, boolean early) {
        // What ends on time is in the plan already.
        if (early) {
            replan(now);
        }
    }

    @Override
    void replan(Instant now) {
        for (var job : List.copyOf(waiting)) {
            // Its own place is free again while it looks, so it never gets a later one unless nodes broke.
            unplace(job);
            place(job, now);
        }
    }
}
