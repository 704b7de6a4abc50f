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
 * @param workload jobs of its own users, from second 0 of the run on
 * @param nodes number of nodes of its machine
 * @param namesNodesAtStart whether a job gets its nodes when it starts, not when it is planned
 * @param reservable number of nodes that all reservations together may hold at any instant
 * @param bandwidth Mbit/s of the link that it sells, 0 for none
 * @param licences number of licences that it sells, by feature
 * @param cost advertised cost of a node for an hour
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
