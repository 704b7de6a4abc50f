package org.metasched.simulation.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.metasched.simulation.scenario.Scenario;

/**
 * Use of one site's machine in the measured time, as shares of all its node seconds.
 *
 * @param local share used by local jobs
 * @param reserved share held by reservations, used or not
 * @param used share used by the meta-jobs that ran in the reservations
 * @param lost share idle although jobs waited that wanted as much: the loss of capacity (Leung, Sabin and Sadayappan, ICPP 2010), which
 *     fragmentation and reservations cause
 */
record SiteUse(double local, double reserved, double used, double lost) {

    /** Changes of numbers of nodes at one second of the run. */
    private record Change(long at, int local, int reserved, int used, int waiting) {}

    static SiteUse of(Scenario scenario, int site, RunRecords records) {
        var changes = new ArrayList<Change>();
        for (var job : records.local()) {
            if (job.site() == site) {
                int nodes = job.job().nodes();
                changes.add(new Change(job.submitted(), 0, 0, 0, nodes));
                changes.add(new Change(job.start(), nodes, 0, 0, -nodes));
                changes.add(new Change(job.end(), -nodes, 0, 0, 0));
            }
        }
        for (var meta : records.meta()) {
            for (var held : meta.held()) {
                if (held.site() == site) {
                    changes.add(new Change(held.from(), 0, held.nodes(), 0, 0));
                    changes.add(new Change(held.usedFrom(), 0, 0, held.nodes(), 0));
                    changes.add(new Change(held.until(), 0, -held.nodes(), -held.nodes(), 0));
                }
            }
        }
        changes.sort(Comparator.comparingLong(Change::at));
        return integrate(scenario, scenario.sites().get(site).nodes(), changes);
    }

    private static SiteUse integrate(Scenario scenario, int nodes, List<Change> changes) {
        long from = scenario.warmUp().toSeconds();
        long until = scenario.length().minus(scenario.cut()).toSeconds();
        double[] sums = new double[4];
        long last = from;
        long local = 0;
        long reserved = 0;
        long used = 0;
        long waiting = 0;
        for (var change : changes) {
            long now = Math.min(until, Math.max(from, change.at()));
            double time = now - last;
            last = now;
            sums[0] += time * local;
            sums[1] += time * reserved;
            sums[2] += time * used;
            sums[3] += time * Math.min(waiting, nodes - local - reserved);
            local += change.local();
            reserved += change.reserved();
            used += change.used();
            waiting += change.waiting();
        }
        double all = (double) (until - from) * nodes;
        return new SiteUse(sums[0] / all, sums[1] / all, sums[2] / all, sums[3] / all);
    }
}
