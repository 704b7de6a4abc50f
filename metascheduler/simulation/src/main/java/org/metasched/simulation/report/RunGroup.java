package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.simulation.result.ConfidenceEstimate;
import org.metasched.simulation.result.ConfidenceInterval;
import org.metasched.simulation.result.PairedDifference;
import org.metasched.simulation.result.RunJson;
import org.metasched.simulation.result.WeekSums;

/**
 * Runs that differ by their seed only.
 *
 * @param parameters parameters that the runs have in common
 */
public record RunGroup(Map<String, String> parameters, List<CompletedRun> runs) {

    /** Seconds of a day. */
    private static final double DAY = 24 * 3600;

    /**
     * The groups in the order of the first run of each. Runs of different scenarios are never in one group, nor are runs of one seed: these
     * are grouped by their folders.
     */
    public static List<RunGroup> of(List<CompletedRun> runs) {
        Map<Map<String, String>, List<CompletedRun>> byParameters = new LinkedHashMap<>();
        boolean isOneScenario = runs.stream()
                        .map(run -> run.figures().path("scenario").asText())
                        .distinct()
                        .count()
                <= 1;
        for (var run : new LinkedHashSet<>(runs)) {
            Map<String, String> parameters = new LinkedHashMap<>();
            if (!isOneScenario) {
                parameters.put("scenario", run.figures().path("scenario").asText());
            }
            parameters.putAll(run.parameters());
            byParameters.computeIfAbsent(parameters, key -> new ArrayList<>()).add(run);
        }
        return byParameters.entrySet().stream()
                .flatMap(group -> apart(group.getKey(), group.getValue()))
                .toList();
    }

    /** The runs as one group if their seeds differ; else a group for each folder of a sweep, or for each run of one folder. */
    private static Stream<RunGroup> apart(Map<String, String> parameters, List<CompletedRun> runs) {
        if (runs.stream().map(run -> run.figure("seed")).distinct().count() == runs.size()) {
            return Stream.of(new RunGroup(parameters, runs));
        }
        boolean areSweeps = runs.stream().map(RunGroup::sweep).distinct().count() > 1;
        Map<Path, List<CompletedRun>> byFolder = new LinkedHashMap<>();
        runs.forEach(run -> byFolder.computeIfAbsent(areSweeps ? sweep(run) : run.folder(), key -> new ArrayList<>())
                .add(run));
        return byFolder.entrySet().stream().flatMap(part -> {
            var own = new LinkedHashMap<>(parameters);
            own.put("folder", part.getKey().toString());
            return apart(own, part.getValue());
        });
    }

    /** The folder of the sweep to which a run belongs; for a run of the current folder its own. */
    private static Path sweep(CompletedRun run) {
        return Optional.ofNullable(run.folder().getParent()).orElse(run.folder());
    }

    /** Mean of a metric over the runs, with its interval over seeds or, for a single run, that of the run by batch means. */
    public ConfidenceEstimate estimate(RunMetric metric) {
        var values = new ArrayList<Double>();
        for (var run : runs) {
            run.figure(metric.path()).ifPresent(value -> values.add(value * metric.scale()));
        }
        var overRuns = ConfidenceEstimate.ofIndependent(values);
        if (values.size() != 1) {
            return overRuns;
        }
        double own = runs.stream()
                .flatMapToDouble(run -> run.figure(metric.path() + "Ci").stream())
                .findFirst()
                .orElse(Double.NaN);
        return new ConfidenceEstimate(overRuns.mean(), own * metric.scale(), 1);
    }

    /** The difference of a metric of this group from that of another, over the seeds that both have. */
    PairedDifference differenceFrom(RunGroup other, RunMetric metric) {
        var differences = new ArrayList<Double>();
        pairs(other)
                .forEach((mine, theirs) -> mine.figure(metric.path())
                        .ifPresent(a -> theirs.figure(metric.path())
                                .ifPresent(b -> differences.add((a - b) * metric.scale()))));
        return PairedDifference.of(differences);
    }

    /** The interval of the same difference over weeks of local jobs, all seeds together; empty for metrics of other jobs. */
    Optional<ConfidenceInterval> differenceByWeeks(RunGroup other, RunMetric metric) {
        var pairs = pairs(other);
        return weeks(pairs.keySet(), metric)
                .flatMap(mine -> weeks(pairs.values(), metric).flatMap(mine::minus))
                .map(interval -> interval.times(metric.scale()));
    }

    /** The interval of the mean over weeks of local jobs, all seeds together; empty for metrics of other jobs. */
    public Optional<ConfidenceInterval> byWeeks(RunMetric metric) {
        return weeks(runs, metric).flatMap(WeekSums::interval).map(interval -> interval.times(metric.scale()));
    }

    private static Optional<WeekSums> weeks(Collection<CompletedRun> runs, RunMetric metric) {
        return runs.stream().flatMap(run -> run.weeks(metric.path()).stream()).reduce(WeekSums::plus);
    }

    /** Each run of this group with the other group's run of the same seed. */
    private Map<CompletedRun, CompletedRun> pairs(RunGroup other) {
        Map<CompletedRun, CompletedRun> pairs = new LinkedHashMap<>();
        for (var run : runs) {
            other.runs.stream()
                    .filter(candidate -> candidate.figure("seed").equals(run.figure("seed")))
                    .findFirst()
                    .ifPresent(partner -> pairs.put(run, partner));
        }
        return pairs;
    }

    /** Notes of MSER-5 about the warm-up, for each site at which it was too short. */
    List<String> warmUpNotes() {
        var notes = new ArrayList<String>();
        for (var site : runs.get(0).sites()) {
            var mser5 = runs.stream()
                    .map(run -> run.figures().path("sites").path(site).path("warmUpMser"))
                    .filter(node -> !node.isMissingNode())
                    .toList();
            double warmUp = runs.get(0).figure("warmUpSeconds").orElse(0);
            long unsteady = mser5.stream().filter(JsonNode::isNull).count();
            double most = mser5.stream().mapToDouble(JsonNode::asDouble).max().orElse(0);
            if (unsteady > 0) {
                notes.add(site + ": no steady waits in " + unsteady + " of " + mser5.size() + " runs");
            } else if (most > warmUp) {
                notes.add(site + ": " + LineChart.number(most / DAY) + " d, " + LineChart.number(warmUp / DAY)
                        + " d given");
            }
        }
        return notes;
    }

    /** The group as JSON: parameters, number of runs, and each metric with its interval. */
    public ObjectNode json() {
        var json = RunJson.object();
        var own = json.putObject("parameters");
        parameters.forEach(own::put);
        json.put("runs", runs.size());
        var folders = json.putArray("folders");
        runs.forEach(run -> folders.add(run.name()));
        var metrics = json.putObject("metrics");
        for (var metric : RunMetric.of(runs)) {
            var estimate = estimate(metric);
            if (Double.isFinite(estimate.mean())) {
                var figures = metrics.putObject(metric.path());
                RunJson.put(figures, "mean", estimate.mean());
                RunJson.put(figures, "ci", estimate.halfWidth());
                figures.put("unit", metric.unit());
                byWeeks(metric).ifPresent(weeks -> put(figures, weeks));
            }
        }
        return json;
    }

    /** Puts the two ends of the interval over weeks. */
    static void put(ObjectNode metric, ConfidenceInterval weeks) {
        RunJson.put(metric, "weeksLow", weeks.low());
        RunJson.put(metric, "weeksHigh", weeks.high());
    }
}
