package org.metasched.simulation.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.simulated.SwfTrace;

/**
 * Meta-jobs of one kind.
 *
 * @param sites indexes into the scenario's sites, from which each job takes some at random
 * @param parts number of sites that a job wants, at most all of them
 * @param nodes nodes of each part, or of all parts together if {@code byTotal}
 * @param byTotal whether the size is given for the whole job, and is split by the sizes of the machines
 * @param duration reserved duration of each part, in seconds
 * @param run share of that duration that the job really uses, 0 to 1
 * @param start time at which jobs want to begin
 * @param chain whether each part begins when the part before it ends (a workflow), not all at once
 * @param beside resources beside the nodes
 * @param requirements a ClassAd expression that each site must satisfy where the policy chooses sites
 */
public record StreamScenario(
        String name,
        Arrivals arrivals,
        List<Integer> sites,
        RandomAmount parts,
        NodeSpread nodes,
        boolean byTotal,
        RandomAmount duration,
        RandomAmount run,
        Start start,
        boolean chain,
        Beside beside,
        Optional<String> requirements) {

    /**
     * Wanted starts of jobs.
     *
     * @param given share of jobs that want one given start, 0 to 1
     * @param bookAhead seconds from the submission of a job to its given start
     * @param tolerance time by which a job may start later than given
     * @param patience longest time for which a job without a given start waits for one
     */
    public record Start(double given, RandomAmount bookAhead, Duration tolerance, Duration patience) {}

    /**
     * Resources beside the nodes of a part.
     *
     * @param bandwidth Mbit/s at each site for the length of its part, 0 for none
     * @param licences number of licences at each site that sells them, by feature
     */
    public record Beside(int bandwidth, Map<String, Integer> licences) {}

    /** Arrivals of jobs. */
    public sealed interface Arrivals {

        /**
         * Arrivals by a Poisson process.
         *
         * @param perDay mean number of jobs a day; empty if {@code share} is given
         * @param share share of the candidate sites' capacity that the jobs ask for on average
         * @param isDaily whether the rate follows the day (most at 14 h UTC, least at 2 h) instead of being the same all day
         */
        record Poisson(Optional<Double> perDay, Optional<Double> share, boolean isDaily) implements Arrivals {}

        /** Arrivals of a trace, with the sizes and lengths of its jobs: sizes are totals, and durations the estimates. */
        record Traced(List<SwfTrace.Job> jobs) implements Arrivals {}
    }
}
