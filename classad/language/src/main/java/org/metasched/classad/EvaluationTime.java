package org.metasched.classad;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The time of an evaluation, and the source of its random numbers. Given to a scope with {@link Scope#at}, or to a match with
 * {@link MatchContext#at}. Evaluations in a scope without a given time take the system's, each once.
 *
 * <p>As thread-safe as its source of random numbers.
 *
 * @param now the time of {@code time()}, {@code CurrentTime} and the like, which read its whole seconds
 * @param random the source of {@code random()}
 */
public record EvaluationTime(Instant now, RandomGenerator random) {

    /** An instant with the random numbers of {@link ThreadLocalRandom}, which differ from evaluation to evaluation. */
    public static EvaluationTime at(Instant now) {
        return new EvaluationTime(now, new OfThread());
    }

    /** The generator of the calling thread. */
    private static final class OfThread implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
