package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.simulation.result.ConfidenceEstimate;
import org.metasched.simulation.result.PairedDifference;
import org.metasched.simulation.result.RunJson;

/**
 * Runs that differ by their seed only.
 *
 * @param parameters that they have in common
 */
public record RunGroup(Map<String, String> parameters, List<CompletedRun> runs) {

    /** In the order of the first run of each. Runs of different scenarios are never in one group. */
    public static List<RunGroup> of(List<CompletedRun> runs) {
        Map<Map<String, String>, List<CompletedRun>> byParameters = new LinkedHashMap<>();
        boolean oneScenario = runs.stream()
                        .map(run -> run.figures().path("scenario").asText())
                        .distinct()
                        .count()
                <= 1;
        for (var run : runs) {
            Map<String, String> parameters = new LinkedHashMap<>();
            if (!oneScenario) {
                parameters.put("scenario", run.figures().path("scenario").asText());
            }
            parameters.putAll(run.parameters());
            byParameters.computeIfAbsent(parameters, key -> new ArrayList<>()).add(run);
        }
        var groups = new ArrayList<RunGroup>();
        byParameters.forEach((parameters, some) -> groups.add(new RunGroup(parameters, some)));
        return groups;
    }

    /** Over the runs; the interval is that between seeds, or the run's own by batch means when there is one run. */
    public ConfidenceEstimate estimate(RunMetric metric) {
        var values = new ArrayList<Double>();
        for (var run : runs) {
            run.figure(metric.path()).ifPresent(value -> values.add(value * metric.scale()));
        }
        var over = ConfidenceEstimate.ofIndependent(values);
        if (values.size() != 1) {
            return over;
        }
        double own = runs.stream()
                .flatMapToDouble(run -> run.figure(metric.path() + "Ci").stream())
                .findFirst()
                .orElse(Double.NaN);
        return new ConfidenceEstimate(over.mean(), own * metric.scale(), 1);
    }

    /** This group less another, over the seeds that both have. */
    PairedDifference less(RunGroup other, RunMetric metric) {
        var differences = new ArrayList<Double>();
        for (var run : runs) {
            other.runs.stream()
                    .filter(one -> one.figure("seed").equals(run.figure("seed")))
                    .findFirst()
                    .ifPresent(one -> run.figure(metric.path())
                            .ifPresent(mine -> one.figure(metric.path())
                                    .ifPresent(theirs -> differences.add((mine - theirs) * metric.scale()))));
        }
        return PairedDifference.of(differences);
    }

    /** For JSON: parameters, number of runs, and each metric with its interval. */
    public ObjectNode json() {
        var json = RunJson.object();
        var own = json.putObject("parameters");
        parameters.forEach(own::put);
        json.put("runs", runs.size());
        var folders = json.putArray("folders");
        runs.forEach(run -> folders.add(run.name()));
        var metrics = json.putObject("metrics");
        for (var metric : RunMetric.ALL) {
            var estimate = estimate(metric);
            if (Double.isFinite(estimate.mean())) {
                var one = metrics.putObject(metric.path());
                RunJson.put(one, "mean", estimate.mean());
                RunJson.put(one, "ci", estimate.halfWidth());
                one.put("unit", metric.unit());
            }
        }
        return json;
    }
}
