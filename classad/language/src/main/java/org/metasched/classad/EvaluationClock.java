package org.metasched.classad;

import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The time that one or several evaluations see: a given {@link EvaluationTime}, or the clock's time from when it is first asked for until
 * {@link #renew}. The language reads the clock here and nowhere else, and only if an expression asks. Not thread-safe
 * unless the moment was given.
 */
final class EvaluationClock {

    private final @Nullable EvaluationTime given;
    private final long givenSeconds;
    private final InstantSource clock;
    private final @Nullable RandomGenerator source;
    private long seconds;
    private boolean taken;

    /** A given moment, or null for the clock's time. */
    EvaluationClock(@Nullable EvaluationTime given) {
        this(given, InstantSource.system());
    }

    EvaluationClock(@Nullable EvaluationTime given, InstantSource clock) {
        this(given, clock, given == null ? null : given.random());
    }

    private EvaluationClock(@Nullable EvaluationTime given, InstantSource clock, @Nullable RandomGenerator source) {
        this.given = given;
        this.source = source;
        this.givenSeconds = given == null ? 0 : given.now().getEpochSecond();
        this.clock = clock;
    }

    /** The clock's time from when it is first asked for, for good, and one source of random numbers. */
    static EvaluationClock once() {
        return new EvaluationClock(null, InstantSource.system(), new SplittableRandom());
    }

    /** Forgets the time taken from the clock, unless it holds for good: the next question takes it anew. */
    void renew() {
        taken &= source != null;
    }

    /** Seconds since 1970-01-01T00:00:00Z. */
    long seconds() {
        if (given != null) {
            return givenSeconds;
        }
        if (!taken) {
            seconds = Math.floorDiv(clock.millis(), 1000L);
            taken = true;
        }
        return seconds;
    }

    RandomGenerator random() {
        return source != null ? source : ThreadLocalRandom.current();
    }
}
