package org.metasched.simulation.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.metasched.negotiation.NegotiationBudget;

/**
 * One run, completely described: the same scenario and seed give the same bytes.
 *
 * @param begin second 0 of every workload, on the virtual clock
 * @param length time in which local jobs and meta-jobs are submitted; jobs that run at its end go on to their own end
 * @param warmUp time at the beginning that is not measured
 * @param cut time at the end of the length that is not measured
 * @param withBaseline whether the sites are also run without meta-jobs, to compare each local job with itself
 * @param parameters settings that were altered on the command line, by path
 */
public record Scenario(
        String name,
        long seed,
        Instant begin,
        Duration length,
        Duration warmUp,
        Duration cut,
        boolean withBaseline,
        StartSearchPolicy policy,
        NegotiationBudget budget,
        List<SiteScenario> sites,
        List<StreamScenario> streams,
        Map<String, String> parameters) {

    public Scenario {
        sites = List.copyOf(sites);
        streams = List.copyOf(streams);
    }

    /** Seconds from the start of the run to an instant. */
    public long second(Instant instant) {
        return Duration.between(begin, instant).toSeconds();
    }

    /** The first instant after the time in which jobs are submitted. */
    public Instant end() {
        return begin.plus(length);
    }

    /** The instant from which submitted jobs are measured. */
    public Instant measuredFrom() {
        return begin.plus(warmUp);
    }

    /** The instant from which submitted jobs are no longer measured. */
    public Instant measuredUntil() {
        return end().minus(cut);
    }

    /** Whether a job that was submitted at that instant is measured. */
    public boolean measures(Instant submitted) {
        return !submitted.isBefore(measuredFrom()) && submitted.isBefore(measuredUntil());
    }

    /** The scenario without meta-jobs: its baseline. */
    public Scenario withoutMetaJobs() {
        return new Scenario(
                name, seed, begin, length, warmUp, cut, false, policy, budget, sites, List.of(), parameters);
    }
}
