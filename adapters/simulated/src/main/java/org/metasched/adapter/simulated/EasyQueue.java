package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.function.Supplier;
import org.metasched.slots.NodeProfile;

/** EASY backfilling: only the first job has a place in the plan; the others start when they do not delay it. */
final class EasyQueue extends LocalQueue {

    EasyQueue(NodeProfile plan, Supplier<BitSet> usable) {
        super(plan, usable);
    }

    @Override
    void add(QueuedJob job, Instant now) {
        waiting.add(job);
        replan(now);
    }

    @Override
    void ended(Instant now, boolean early) {
        replan(now);
    }

    @Override
    void replan(Instant now) {
        waiting.forEach(this::unplace);
        boolean headWaits = false;
        for (var job : waiting) {
            if (!placeNow(job, now) && !headWaits) {
                place(job, now);
                headWaits = true;
            }
        }
    }
}
