package org.metasched.classad;

import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The time that one or several evaluations see: a given {@link EvaluationTime}, or the system's time, read at the first use and kept
 * until {@link #renew}. The language reads the system's clock only here, and only if an expression uses the time. Thread-safe only
 * with a given time.
 */
final class EvaluationClock {

    private final @Nullable EvaluationTime given;
    private final long givenSeconds;
    private final InstantSource clock;
    private final @Nullable RandomGenerator source;

    /** The time that was read from the clock, if it {@code isRead}. */
    private long seconds;

    private boolean isRead;

    /** A given time, or null for the system's. */
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

    /** The system's time at the first use, which {@link #renew} does not change, and one source of random numbers. */
    static EvaluationClock once() {
        return new EvaluationClock(null, InstantSource.system(), new SplittableRandom());
    }

    /** Makes the next use read the system's clock again, unless this was made by {@link #once} or has a given time. */
    void renew() {
        isRead &= source != null;
    }

    /** The time in seconds since 1970-01-01T00:00:00Z. */
    long seconds() {
        if (given != null) {
            return givenSeconds;
        }
        if (!isRead) {
            seconds = Math.floorDiv(clock.millis(), 1000L);
            isRead = true;
        }
        return seconds;
    }

    RandomGenerator random() {
        return source != null ? source : ThreadLocalRandom.current();
    }
}
