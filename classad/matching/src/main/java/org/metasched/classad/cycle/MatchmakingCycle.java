package org.metasched.classad.cycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.leases.LeaseStore;

/**
 * One pass of matchmaking over a snapshot: the use of each submitter is counted anew from leases and claimed offers, and the pool is
 * shared by {@link FairShare}. Each match is leased at the moment it is made, and both parties are introduced.
 * Not thread-safe: one cycle at a time.
 *
 * @param policy policy of shares, quotas and pre-emption
 * @param rules rules of the pool other than shares
 * @param accountant source of the priorities, and record of the use
 * @param leases leases of matches; a held offer is not matched again
 * @param listener receiver of each match
 * @param clock clock that measures the cycle
 */
public record MatchmakingCycle(
        SharePolicy policy,
        PoolRules rules,
        Accountant accountant,
        LeaseStore leases,
        MatchListener listener,
        Clock clock) {

    /** Matches the job ads of a collector with its other ads that have a constraint. */
    public CycleReport run(Collector collector) {
        var requests = new ArrayList<JobRequest>();
        var offers = new ArrayList<Advertisement>();
        for (var advertisement : collector.snapshot()) {
            if (advertisement.key().type().equalsIgnoreCase("Job")) {
                requests.add(JobRequest.of(advertisement));
            } else if (advertisement.ad().has("Requirements")
                    || advertisement.ad().has("Constraint")) {
                offers.add(advertisement);
            }
        }
        return run(requests, offers);
    }

    /** Matches requests with offers. {@code O(matches · offers / 64)} once the indexes are made. */
    public CycleReport run(List<JobRequest> requests, List<Advertisement> offers) {
        Instant began = clock.instant();
        var resources = new PoolResources(
                requests,
                offers,
                rules,
                policy.considersPreemption(),
                submitter -> accountant.standing(submitter).priority(),
                leases,
                listener);
        accountant.recount(resources.inUse());
        resources.prepare();
        int clusters = resources.clusters();
        new FairShare(policy, accountant, resources).run(resources.submitters());
        accountant.save();
        int matches =
                resources.made().values().stream().mapToInt(Integer::intValue).sum();
        return new CycleReport(
                offers.size(),
                clusters,
                matches,
                resources.made(),
                resources.rejected(),
                Duration.between(began, clock.instant()));
    }
}
