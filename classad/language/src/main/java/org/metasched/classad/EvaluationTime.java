package org.metasched.classad;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The time of an evaluation, and the source of its random numbers. Given to a scope with {@link Scope#at}, or to a match with
 * {@link MatchContext#at}. Without a given time, an evaluation reads the system's clock once, at its
 * first use.
 *
 * <p>As thread-safe as its source of random numbers.
 *
 * @param now the time of {@code time()}, {@code CurrentTime} and the like, which read its whole seconds
 * @param random the source of {@code random()}
 */
public record EvaluationTime(Instant now, RandomGenerator random) {

    /** An instant with the random numbers of {@link ThreadLocalRandom}, which differ from evaluation to evaluation. */
    public static EvaluationTime at(Instant now) {
        return new EvaluationTime(now, () -> ThreadLocalRandom.current().nextLong());
    }
}
