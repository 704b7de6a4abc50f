package org.metasched.simulation.scenario;

import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.policy.PolicySettings;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;
import org.metasched.adapter.simulated.Workload;

/**
 * One simulated site.
 *
 * @param workload its own users' jobs, from second 0 of the run on
 * @param namesNodesAtStart whether a job gets its nodes when it starts or when it is planned
 * @param reservable nodes that reservations may hold at any instant, all together
 * @param bandwidth Mbit/s of the link that it sells, 0 for none
 * @param licences that it sells, by feature
 * @param cost of a node for an hour, which its ad says
 * @param policy rules of the site for reservations
 */
public record SiteScenario(
        SiteId id,
        Workload workload,
        int nodes,
        Backfilling backfilling,
        boolean namesNodesAtStart,
        PreviewWindow window,
        int reservable,
        int bandwidth,
        Map<String, Integer> licences,
        double cost,
        Optional<PolicySettings> policy) {}
