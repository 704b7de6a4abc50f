package org.metasched.submit;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Surroundings that condor_submit reads.
 *
 * @param directory folder in which condor_submit runs, and to which names of files are relative
 * @param environment variables of the process, for {@code $ENV} and {@code getenv}
 * @param user name of the submitting user
 * @param clock clock for the time macros
 * @param random source of random numbers for {@code $RANDOM_CHOICE} and {@code $RANDOM_INTEGER}
 * @param cluster number of the first cluster
 * @param checkFiles whether executables and input files must exist
 * @param limits limits on reading a description
 */
public record SubmitContext(
        Path directory,
        Map<String, String> environment,
        String user,
        Clock clock,
        RandomGenerator random,
        int cluster,
        boolean checkFiles,
        SubmitLimits limits) {

    public SubmitContext {
        directory = directory.toAbsolutePath().normalize();
        environment = Map.copyOf(environment);
    }

    /** A context with the system's clock, fresh random numbers, cluster 1, checks and default limits. */
    public static SubmitContext of(Path directory, Map<String, String> environment) {
        return new SubmitContext(
                directory,
                environment,
                environment.getOrDefault("USER", System.getProperty("user.name", "nobody")),
                Clock.systemDefaultZone(),
                new SplittableRandom(),
                1,
                true,
                SubmitLimits.DEFAULT);
    }

    /** The context without checks: executables and input files may be missing. */
    public SubmitContext withoutFileChecks() {
        return new SubmitContext(directory, environment, user, clock, random, cluster, false, limits);
    }
}
