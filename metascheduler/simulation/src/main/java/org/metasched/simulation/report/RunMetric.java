package org.metasched.simulation.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A figure by which runs are compared.
 *
 * @param path dotted path of the figure in {@code run.json}
 * @param title words for people
 * @param unit unit for people; empty if there is none
 * @param scale factor from the figure to its value in the unit
 */
public record RunMetric(String path, String title, String unit, double scale) {

    /** All metrics in the order in which they are shown. */
    public static final List<RunMetric> ALL = List.of(
            new RunMetric("local.wait", "Mean wait of local jobs", "min", 1 / 60.0),
            new RunMetric("siteMeans.wait", "Mean wait of local jobs, each site alike", "min", 1 / 60.0),
            new RunMetric("local.slowdown", "Mean bounded slowdown of local jobs", "", 1),
            new RunMetric("siteMeans.slowdown", "Mean bounded slowdown, each site alike", "", 1),
            new RunMetric("local.slowdownP50", "Median bounded slowdown of local jobs", "", 1),
            new RunMetric("local.slowdownP95", "95th percentile of bounded slowdown of local jobs", "", 1),
            new RunMetric("localChange.delay", "Mean delay of a local job by meta-jobs", "min", 1 / 60.0),
            new RunMetric("siteMeans.delay", "Mean delay by meta-jobs, each site alike", "min", 1 / 60.0),
            new RunMetric("localChange.slowdownRatio", "Local slowdown beside that without meta-jobs", "times", 1),
            new RunMetric("meta.rejectionRate", "Meta-jobs rejected", "%", 100),
            new RunMetric("meta.rejectionRateGiven", "Rejected of those with a given start", "%", 100),
            new RunMetric("meta.grantedWorkShare", "Node-hours granted of those asked for", "%", 100),
            new RunMetric("meta.wait", "Mean wait of meta-jobs as soon as possible", "min", 1 / 60.0),
            new RunMetric("meta.slowdown", "Mean bounded slowdown of meta-jobs", "", 1),
            new RunMetric("meta.calls", "Messages a meta-job", "", 1),
            new RunMetric("meta.rounds", "Question rounds a meta-job", "", 1),
            new RunMetric("meta.reservationUtilisation", "Reserved node-hours that were used", "%", 100),
            new RunMetric("meta.heldUtilisation", "Node-hours held until given back that were used", "%", 100),
            new RunMetric("machines.metaYield", "Used of what meta-jobs take: held, or idle beside it", "%", 100),
            new RunMetric("machines.utilisation", "Utilisation of all machines", "%", 100),
            new RunMetric("machines.lossOfCapacity", "Loss of capacity: idle although jobs waited", "%", 100));

    /** The metrics of all sites, then those of each site. */
    static List<RunMetric> of(List<CompletedRun> runs) {
        var metrics = new ArrayList<>(ALL);
        runs.stream()
                .flatMap(run -> run.sites().stream())
                .distinct()
                .forEach(site -> metrics.addAll(List.of(
                        new RunMetric("sites." + site + ".local.wait", "Mean wait at " + site, "min", 1 / 60.0),
                        new RunMetric("sites." + site + ".local.slowdown", "Mean bounded slowdown at " + site, "", 1),
                        new RunMetric(
                                "sites." + site + ".localChange.delay", "Mean delay at " + site, "min", 1 / 60.0))));
        return metrics;
    }

    /** The metric as a name of a file. */
    public String fileName() {
        return path.replace('.', '-');
    }

    String label() {
        return unit.isEmpty() ? title : title + " (" + unit + ")";
    }
}
