package org.metasched.simulation.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.simulated.SwfTrace;

/**
 * A stream of meta-jobs of one kind.
 *
 * @param sites the candidate sites of its jobs, as indexes into the scenario's sites; each job takes some at random
 * @param parts number of sites that a job wants, at most all of them
 * @param nodes nodes of each part, or of all parts together if {@code byTotal}
 * @param byTotal whether the nodes are of the whole job, and are split in proportion to the sizes of the machines
 * @param duration reserved duration of each part, in seconds
 * @param run share of the duration that the job uses, 0 to 1
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
         * @param isDaily whether the rate follows the time of day (highest at 14 h UTC, lowest at 2 h); otherwise it is constant
         */
        record Poisson(Optional<Double> perDay, Optional<Double> share, boolean isDaily) implements Arrivals {}

        /** Arrivals of a trace, with its jobs' numbers of processors as total nodes, and their estimates as durations. */
        record Traced(List<SwfTrace.Job> jobs) implements Arrivals {}
    }
}
