package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.function.Supplier;

/** EASY backfilling: only the first job has a place in the plan; the others start when they do not delay it. */
final class EasyQueue extends LocalQueue {

    EasyQueue(NodePlan plan, Supplier<BitSet> usable) {
        super(plan, usable);
    }

    @Override
    void plan(Instant now, boolean freed) {
        backfill(now, job -> true);
    }
}
