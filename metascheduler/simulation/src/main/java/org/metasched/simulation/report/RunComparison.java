package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.metasched.simulation.report.LineChart.Point;
import org.metasched.simulation.report.LineChart.Series;
import org.metasched.simulation.result.ConfidenceEstimate;
import org.metasched.simulation.result.ConfidenceInterval;
import org.metasched.simulation.result.PairedDifference;
import org.metasched.simulation.result.RunJson;

/** Compares groups of runs in tables, in plots over one parameter, and by the distributions of their waits. */
public final class RunComparison {

    private static final int MOST_CURVES = 8;
    private static final String NO_FIGURE = "–";

    /** Descriptions of settings with their units, by the last key of their path. */
    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "share", "work asked for, as a share of the capacity (0 to 1)",
            "per-day", "jobs a day",
            "load", "load of local jobs (1: the machine is full)",
            "reservable", "share of the nodes that reservations may hold (0 to 1)",
            "estimates", "exactness of users' estimates (0: as given, 1: run times)",
            "parts", "parts of a job",
            "given-start", "share of jobs with a given start (0 to 1)",
            "padding", "length of reservations, in lengths of their jobs");

    private final List<RunGroup> groups;
    private final List<RunMetric> metrics;
    private final Optional<String> axis;

    /**
     * @param axis path of the parameter on the plots' x axis; if empty, the first numeric one that differs between runs
     * @throws IllegalArgumentException when no run has the parameter
     */
    public RunComparison(List<CompletedRun> runs, Optional<String> axis) {
        this.groups = RunGroup.of(runs);
        this.metrics = RunMetric.of(runs).stream().filter(this::hasFigures).toList();
        this.axis = axis.or(this::firstNumericParameter);
        axis.ifPresent(name -> {
            if (groups.stream().noneMatch(group -> group.parameters().containsKey(name))) {
                throw new IllegalArgumentException(
                        "No run has the parameter (" + name + "); there are " + parameterNames() + ".");
            }
        });
    }

    public List<RunGroup> groups() {
        return groups;
    }

    private List<String> parameterNames() {
        var names = new LinkedHashSet<String>();
        groups.forEach(group -> names.addAll(group.parameters().keySet()));
        return List.copyOf(names);
    }

    private Optional<String> firstNumericParameter() {
        return parameterNames().stream()
                .filter(name -> valuesOf(name).size() > 1)
                .filter(name -> valuesOf(name).stream().allMatch(RunComparison::isNumber))
                .findFirst();
    }

    private LinkedHashSet<String> valuesOf(String name) {
        return groups.stream()
                .map(group -> group.parameters().getOrDefault(name, ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d{1,12}(\\.\\d{1,12})?");
    }

    /** Name of a group: its values of the parameters in which groups differ, without the parameter {@code except} (may be empty). */
    private String groupName(RunGroup group, String except) {
        String name = group.parameters().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(except)
                        && valuesOf(entry.getKey()).size() > 1)
                .map(entry -> entry.getKey().substring(entry.getKey().lastIndexOf('.') + 1) + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
        if (!name.isEmpty()) {
            return name;
        }
        return except.isEmpty() ? group.runs().get(0).name() : "all";
    }

    private boolean hasFigures(RunMetric metric) {
        return groups.stream()
                .anyMatch(group -> Double.isFinite(group.estimate(metric).mean()));
    }

    static String text(ConfidenceEstimate estimate) {
        if (!Double.isFinite(estimate.mean())) {
            return NO_FIGURE;
        }
        return LineChart.number(estimate.mean())
                + (Double.isFinite(estimate.halfWidth()) ? " ± " + LineChart.number(estimate.halfWidth()) : "");
    }

    /** A row for each group, a column for each metric; the first row is the header. */
    public List<List<String>> table() {
        var table = new ArrayList<List<String>>();
        var header = new ArrayList<String>(List.of("run"));
        metrics.forEach(metric -> header.add(metric.label()));
        table.add(header);
        for (var group : groups) {
            var row = new ArrayList<String>(List.of(groupName(group, "")));
            metrics.forEach(metric -> row.add(text(group.estimate(metric))
                    + group.byWeeks(metric)
                            .map(weeks -> "; weeks " + text(weeks))
                            .orElse("")));
            table.add(row);
        }
        return table;
    }

    /**
     * The differences of groups from the first one, over the seeds that both have: a table for each group with such a seed, with a column for
     * each metric.
     */
    public List<List<List<String>>> differences() {
        return groups.stream()
                .skip(1)
                .filter(group -> metrics.stream()
                        .anyMatch(metric -> fromFirst(group, metric).estimate().count() > 0))
                .map(this::differences)
                .toList();
    }

    private PairedDifference fromFirst(RunGroup group, RunMetric metric) {
        return group.differenceFrom(groups.get(0), metric);
    }

    private List<List<String>> differences(RunGroup group) {
        var table = new ArrayList<List<String>>();
        for (var name : List.of(
                groupName(group, "") + " less " + groupName(groups.get(0), ""),
                "difference",
                "95 % by seeds",
                "p",
                "n",
                "95 % by weeks",
                "seeds for 5 %")) {
            table.add(new ArrayList<>(List.of(name)));
        }
        for (var metric : metrics) {
            var difference = fromFirst(group, metric);
            if (difference.estimate().count() > 0) {
                var cells = cells(group, metric, difference);
                for (int i = 0; i < cells.size(); i++) {
                    table.get(i).add(cells.get(i));
                }
            }
        }
        return table;
    }

    private List<String> cells(RunGroup group, RunMetric metric, PairedDifference difference) {
        var estimate = difference.estimate();
        return List.of(
                metric.label(),
                LineChart.number(estimate.mean()),
                Double.isFinite(estimate.halfWidth())
                        ? text(new ConfidenceInterval(
                                estimate.mean() - estimate.halfWidth(), estimate.mean() + estimate.halfWidth()))
                        : NO_FIGURE,
                Double.isFinite(difference.p()) ? String.format(Locale.ROOT, "%.3g", difference.p()) : NO_FIGURE,
                String.valueOf(estimate.count()),
                group.differenceByWeeks(groups.get(0), metric)
                        .map(RunComparison::text)
                        .orElse(NO_FIGURE),
                seedsNeeded(metric, difference).stream()
                        .mapToObj(String::valueOf)
                        .findFirst()
                        .orElse(NO_FIGURE));
    }

    private static String text(ConfidenceInterval interval) {
        return LineChart.number(interval.low()) + " to " + LineChart.number(interval.high());
    }

    /** Number of seeds that would show a difference of 5 % of the first group's mean. */
    private OptionalLong seedsNeeded(RunMetric metric, PairedDifference difference) {
        return difference.seedsFor(0.05 * groups.get(0).estimate(metric).mean());
    }

    /** Notes for the reader about sites at which the warm-up was too short. */
    public List<String> notes() {
        return groups.stream()
                .flatMap(group -> group.warmUpNotes().stream()
                        .map(note -> "Warm-up by MSER-5, " + groupName(group, "") + ", " + note + "."))
                .toList();
    }

    /** The comparison as JSON: groups with their metrics, and the differences from the first group. */
    public ObjectNode json() {
        var json = RunJson.object();
        json.put("axis", axis.orElse(""));
        var all = json.putArray("groups");
        for (var group : groups) {
            var groupJson = group.json();
            all.add(groupJson);
            if (group != groups.get(0)) {
                var differences = groupJson.putObject("lessFirst");
                metrics.forEach(metric -> putDifference(differences, group, metric));
            }
        }
        notes().forEach(json.putArray("notes")::add);
        return json;
    }

    private void putDifference(ObjectNode all, RunGroup group, RunMetric metric) {
        var difference = fromFirst(group, metric);
        if (difference.estimate().count() > 0) {
            var figures = all.putObject(metric.path());
            RunJson.put(figures, "mean", difference.estimate().mean());
            RunJson.put(figures, "ci", difference.estimate().halfWidth());
            RunJson.put(figures, "p", difference.p());
            figures.put("n", difference.estimate().count());
            group.differenceByWeeks(groups.get(0), metric).ifPresent(weeks -> RunGroup.put(figures, weeks));
            seedsNeeded(metric, difference).ifPresent(seeds -> figures.put("seedsFor5Percent", seeds));
        }
    }

    /** SVG drawings by file name. */
    public Map<String, String> plots() throws IOException {
        Map<String, String> plots = new LinkedHashMap<>();
        axis.ifPresent(name -> metrics.stream()
                .filter(RunMetric.ALL::contains)
                .forEach(metric -> plots.put(
                        metric.fileName() + ".svg", chart(name, metric).svg())));
        var local = new LineChart("Waits of local jobs: share of jobs (%) that waited no longer", "seconds", true);
        var meta = new LineChart(
                "Waits of meta-jobs without a given start: share of jobs (%) that waited no longer", "seconds", true);
        for (var group : groups.subList(0, Math.min(MOST_CURVES, groups.size()))) {
            var run = group.runs().get(0);
            local.add(WaitDistribution.of(groupName(group, ""), run.localWaits()));
            meta.add(WaitDistribution.of(groupName(group, ""), run.metaWaits()));
        }
        plots.put("ecdf-local.svg", local.svg());
        if (!meta.isEmpty()) {
            plots.put("ecdf-meta.svg", meta.svg());
        }
        return plots;
    }

    /** Label of an axis for the path of a setting in a scenario: its description, with the name of its site or stream if it has one. */
    static String axisLabel(String path) {
        var keys = path.split("\\.");
        String last = keys[keys.length - 1];
        String what = DESCRIPTIONS.getOrDefault(last, last.replace('-', ' '));
        return keys.length == 3 ? what + ", " + keys[1] : what;
    }

    /** Chart of a metric over a parameter. */
    private LineChart chart(String name, RunMetric metric) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (var group : groups) {
            var estimate = group.estimate(metric);
            String value = group.parameters().getOrDefault(name, "");
            if (isNumber(value) && Double.isFinite(estimate.mean())) {
                lines.computeIfAbsent(groupName(group, name), key -> new ArrayList<>())
                        .add(new Point(Double.parseDouble(value), estimate.mean(), estimate.halfWidth()));
            }
        }
        var chart = new LineChart(metric.label(), axisLabel(name), false);
        lines.forEach((line, points) -> {
            points.sort(Comparator.comparingDouble(Point::x));
            chart.add(new Series(line, points, false));
        });
        return chart;
    }
}
