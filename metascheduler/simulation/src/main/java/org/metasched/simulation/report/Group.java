package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.simulation.result.Estimate;
import org.metasched.simulation.result.Json;

/**
 * Runs that differ by their seed only.
 *
 * @param parameters that they have in common
 */
public record Group(Map<String, String> parameters, List<Run> runs) {

    /** In the order of the first run of each. Runs of different scenarios are never in one group. */
    public static List<Group> of(List<Run> runs) {
        Map<Map<String, String>, List<Run>> byParameters = new LinkedHashMap<>();
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
        var groups = new ArrayList<Group>();
        byParameters.forEach((parameters, some) -> groups.add(new Group(parameters, some)));
        return groups;
    }

    /** Over the runs; the interval is that between seeds, or the run's own by batch means when there is one run. */
    public Estimate estimate(Metric metric) {
        var values = new ArrayList<Double>();
        for (var run : runs) {
            run.figure(metric.path()).ifPresent(value -> values.add(value * metric.scale()));
        }
        var over = Estimate.ofIndependent(values);
        if (values.size() != 1) {
            return over;
        }
        double own = runs.stream()
                .flatMapToDouble(run -> run.figure(metric.path() + "Ci").stream())
                .findFirst()
                .orElse(Double.NaN);
        return new Estimate(over.mean(), own * metric.scale(), 1);
    }

    /** For JSON: parameters, number of runs, and each metric with its interval. */
    public ObjectNode json() {
        var json = Json.object();
        var own = json.putObject("parameters");
        parameters.forEach(own::put);
        json.put("runs", runs.size());
        var folders = json.putArray("folders");
        runs.forEach(run -> folders.add(run.name()));
        var metrics = json.putObject("metrics");
        for (var metric : Metric.ALL) {
            var estimate = estimate(metric);
            if (Double.isFinite(estimate.mean())) {
                var one = metrics.putObject(metric.path());
                Json.put(one, "mean", estimate.mean());
                Json.put(one, "ci", estimate.halfWidth());
                one.put("unit", metric.unit());
            }
        }
        return json;
    }
}
