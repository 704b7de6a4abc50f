package org.metasched.classad;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The time of an evaluation, and the source of its random numbers. Given to a place with {@link Scope#at}, or to a whole match
 * with {@link MatchContext#at}; a place without one takes the time from the system's clock, once for each evaluation.
 *
 * <p>As thread-safe as its source of random numbers.
 *
 * @param now what {@code time()}, {@code CurrentTime} and their relatives see, in whole seconds
 * @param random what {@code random()} draws from
 */
public record EvaluationTime(Instant now, RandomGenerator random) {

    /** An instant, with random numbers that differ from evaluation to evaluation. */
    public static EvaluationTime at(Instant now) {
        return new EvaluationTime(now, new OfThread());
    }

    /** The generator of the thread that asks. */
    private static final class OfThread implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
