package org.metasched.simulation;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.policy.PolicedScheduler;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.simulation.result.LocalRecord;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.SiteScenario;

/** The sites of a run, and the results of their local jobs. For one thread. */
final class SimulatedSites {

    private final Scenario scenario;
    private final Clock clock;
    private final List<SimulatedScheduler> sites = new ArrayList<>();
    /** For each site, the records of its local jobs that have started. */
    private final List<List<LocalRecord>> started = new ArrayList<>();

    private final int jobCount;

    SimulatedSites(Scenario scenario, Clock clock) {
        this.scenario = scenario;
        this.clock = clock;
        int jobs = 0;
        for (int i = 0; i < scenario.sites().size(); i++) {
            started.add(new ArrayList<>());
            var site = scenario.sites().get(i);
            sites.add(open(i, site));
            jobs += site.workload().jobs().size();
        }
        this.jobCount = jobs;
    }

    private SimulatedScheduler open(int index, SiteScenario site) {
        var records = started.get(index);
        var description = new SimulatedSite(site.id())
                .nodes(site.nodes())
                .workload(site.workload())
                .workloadFrom(0)
                .warmUp(Duration.ZERO)
                .backfilling(site.backfilling())
                .window(site.window())
                .bandwidth(site.bandwidth())
                .watchedBy((job, submitted, start, end) -> records.add(new LocalRecord(
                        index, job, scenario.second(submitted), scenario.second(start), scenario.second(end))));
        site.licences().forEach(description::licences);
        if (site.reservable() < site.nodes()) {
            description.reservableNodes(site.reservable());
        }
        if (site.namesNodesAtStart()) {
            description.namesNodesWhenTheyStart();
        }
        return description.open(clock);
    }

    /** The sites as the negotiation asks them: behind a wire, and behind their rules. */
    List<LocalScheduler> behind(SiteWire wire) {
        var asked = new ArrayList<LocalScheduler>();
        for (int i = 0; i < sites.size(); i++) {
            var site = wire.to(sites.get(i));
            asked.add(scenario.sites()
                    .get(i)
                    .policy()
                    .map(policy -> PolicedScheduler.around(site, policy, clock))
                    .orElse(site));
        }
        return asked;
    }

    /** Advances every site to the time of the clock; returns whether a local job runs or waits anywhere. */
    boolean catchUp() {
        boolean isBusy = false;
        for (var site : sites) {
            var load = load(site);
            isBusy |= load.runningJobs() > 0 || load.queuedJobs() > 0;
        }
        return isBusy;
    }

    private static SiteLoad load(SimulatedScheduler site) {
        try {
            return site.load();
        } catch (LocalSchedulerException e) {
            throw new IllegalStateException("Site " + site.site() + ", which is simulated here, does not answer.", e);
        }
    }

    /** The share of the local jobs that have started. */
    double startedShare() {
        return jobCount == 0 ? 1 : started.stream().mapToInt(List::size).sum() / (double) jobCount;
    }

    /** The records by site, then by submission. */
    List<LocalRecord> records() {
        var records = new ArrayList<LocalRecord>();
        for (var ofSite : started) {
            ofSite.sort(Comparator.comparingLong(LocalRecord::submitted)
                    .thenComparingLong(record -> record.job().number()));
            records.addAll(ofSite);
        }
        return records;
    }
}
