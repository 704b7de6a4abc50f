package org.metasched.adapter.booking;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TimeSlot;

/**
 * Memory of the last plan: queries that end on the same day share it while the scheduler's records are the same objects. Thread-safe.
 */
public final class PlanMemo {

    private record Last(List<?> records, Instant until, SitePlan plan) {}

    private volatile @Nullable Last last;

    /**
     * The plan of some records: the last plan if they are the same objects as at the last call, else a new one.
     *
     * @param span time that the plan must cover; its end is moved to the end of a day, so that requests of other lengths share the plan
     * @param build makes the plan up to an instant
     */
    public SitePlan of(List<?> records, TimeSlot span, Function<Instant, SitePlan> build) {
        Instant until = endOfDay(span.end());
        Last known = last;
        if (known == null || !known.until().equals(until) || !same(known.records(), records)) {
            known = new Last(List.copyOf(records), until, build.apply(until));
            last = known;
        }
        return known.plan();
    }

    /** The end of an instant's day in UTC: queries of other lengths on the same day share one plan. */
    public static Instant endOfDay(Instant instant) {
        return instant.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    }

    /** Whether the lists hold the same objects; equality of thousands of records would cost what the memory saves. */
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
