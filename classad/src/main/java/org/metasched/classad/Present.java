package org.metasched.classad;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The time that one or several evaluations see: a given {@link Moment}, or the clock's time from when it is first asked for until
 * {@link #renew}. The language reads the clock here and nowhere else, and only if an expression asks. Not thread-safe
 * unless the moment was given.
 */
final class Present {

    private final @Nullable Moment given;
    private final long givenSeconds;
    private final InstantSource clock;
    private long seconds;
    private boolean taken;

    /** A given moment, or null for the clock's time. */
    Present(@Nullable Moment given) {
        this(given, InstantSource.system());
    }

    Present(@Nullable Moment given, InstantSource clock) {
        this.given = given;
        this.givenSeconds = given == null ? 0 : given.now().getEpochSecond();
        this.clock = clock;
    }

    /** Forgets the time taken from the clock: the next question takes it anew. */
    void renew() {
        taken = false;
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
        return given != null ? given.random() : ThreadLocalRandom.current();
    }
}
