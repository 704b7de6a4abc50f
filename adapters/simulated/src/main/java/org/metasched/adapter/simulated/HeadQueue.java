package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.function.Supplier;
import org.metasched.slots.NodePlan;

/**
 * Only one waiting job has a place in the plan: the first that does not fit and starves. In queue order, every other job starts that fits
 * now and does not delay it. With a starving time of zero this is EASY backfilling.
 */
final class HeadQueue extends LocalQueue {

    private final Duration starving;

    /** @param starving wait after which a job starves */
    HeadQueue(NodePlan plan, Supplier<BitSet> usable, Duration starving) {
        super(plan, usable);
        this.starving = starving;
    }

    @Override
    void plan(Instant now, boolean freed) {
        waiting.forEach(this::unplace);
        boolean headWaits = false;
        int free = freeNow(now);
        for (var job : waiting) {
            if (job.nodes() <= free && placeNow(job, now)) {
                free -= job.nodes();
            } else if (!headWaits && !job.submitted.plus(starving).isAfter(now)) {
                place(job, now);
                headWaits = true;
            }
            if (free == 0 && headWaits) {
                return;
            }
        }
    }
}
