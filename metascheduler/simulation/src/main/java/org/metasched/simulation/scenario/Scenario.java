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
 * @param length in which local jobs and meta-jobs are submitted; what runs then is run to its end
 * @param warmUp at the beginning, not measured
 * @param cut at the end of the length, not measured
 * @param withBaseline whether the sites are also run without meta-jobs, to compare each local job with itself
 * @param parameters what was altered on the command line, by path
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

    /** The first instant after the time in which jobs are submitted. */
    public Instant end() {
        return begin.plus(length);
    }

    public Instant measuredFrom() {
        return begin.plus(warmUp);
    }

    public Instant measuredUntil() {
        return end().minus(cut);
    }

    /** Whether what was submitted at that instant counts. */
    public boolean measures(Instant submitted) {
        return !submitted.isBefore(measuredFrom()) && submitted.isBefore(measuredUntil());
    }

    /** The same sites without meta-jobs. */
    public Scenario withoutMetaJobs() {
        return new Scenario(
                name, seed, begin, length, warmUp, cut, false, policy, budget, sites, List.of(), parameters);
    }
}
