package org.metasched.adapter.booking;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TimeSlot;

/** Memory of the last plan: all queries share it as long as the scheduler's records are the same objects. Thread-safe. */
public final class PlanMemo {

    private static final long DAY = Duration.ofDays(1).toSeconds();

    private record Last(List<?> records, Instant until, SitePlan plan) {}

    private volatile @Nullable Last last;

    /**
     * The plan of some records, built anew unless they are the same objects as at the last call.
     *
     * @param span time that the plan must cover; its end is moved to the end of a day, so that requests of other lengths share the plan
     * @param build makes the plan up to an instant
     */
    public SitePlan of(List<?> records, TimeSlot span, Function<Instant, SitePlan> build) {
        Instant until = Instant.ofEpochSecond(Math.floorDiv(span.end().getEpochSecond(), DAY) * DAY + DAY);
        Last known = last;
        if (known == null || !known.until().equals(until) || !same(known.records(), records)) {
            known = new Last(List.copyOf(records), until, build.apply(until));
            last = known;
        }
        return known.plan();
    }

    /** The same objects, not equal ones: comparing thousands of records would cost what is to be saved. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean same(List<?> some, List<?> others) {
        for (int i = 0; i < some.size(); i++) {
            if (some.get(i) != others.get(i)) {
                return false;
            }
        }
        return some.size() == others.size();
    }
}
