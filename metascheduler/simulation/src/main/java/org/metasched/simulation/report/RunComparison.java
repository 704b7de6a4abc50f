package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.simulation.report.LineChart.Point;
import org.metasched.simulation.report.LineChart.Series;
import org.metasched.simulation.result.ConfidenceEstimate;
import org.metasched.simulation.result.PairedDifference;
import org.metasched.simulation.result.RunJson;

/** Runs beside each other: a table, plots over one parameter, distributions of waits. */
public final class RunComparison {

    private static final int MOST_LINES = 8;

    private final List<RunGroup> groups;
    private final Optional<String> axis;

    /** @param axis the parameter that plots go over; the first one that differs and is a number, when it is empty */
    public RunComparison(List<CompletedRun> runs, Optional<String> axis) {
        this.groups = RunGroup.of(runs);
        this.axis = axis.or(this::firstNumber);
        axis.ifPresent(name -> {
            if (groups.stream().noneMatch(group -> group.parameters().containsKey(name))) {
                throw new IllegalArgumentException(
                        "No run has the parameter (" + name + "); there are " + names() + ".");
            }
        });
    }

    public List<RunGroup> groups() {
        return groups;
    }

    private List<String> names() {
        var names = new LinkedHashSet<String>();
        groups.forEach(group -> names.addAll(group.parameters().keySet()));
        return List.copyOf(names);
    }

    private Optional<String> firstNumber() {
        return names().stream()
                .filter(name -> values(name).size() > 1)
                .filter(name -> values(name).stream().allMatch(RunComparison::isNumber))
                .findFirst();
    }

    private LinkedHashSet<String> values(String name) {
        return groups.stream()
                .map(group -> group.parameters().getOrDefault(name, ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d{1,12}(\\.\\d{1,12})?");
    }

    /** What tells a group from the others, without one of its parameters. */
    String name(RunGroup group, String besides) {
        String name = group.parameters().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(besides)
                        && values(entry.getKey()).size() > 1)
                .map(entry -> entry.getKey().substring(entry.getKey().lastIndexOf('.') + 1) + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
        if (!name.isEmpty()) {
            return name;
        }
        return besides.isEmpty() ? group.runs().get(0).name() : "all";
    }

    /** Metrics that at least one group has. */
    List<RunMetric> metrics() {
        return RunMetric.ALL.stream()
                .filter(metric -> groups.stream()
                        .anyMatch(
                                group -> Double.isFinite(group.estimate(metric).mean())))
                .toList();
    }

    static String shown(ConfidenceEstimate estimate) {
        if (!Double.isFinite(estimate.mean())) {
            return "–";
        }
        return LineChart.number(estimate.mean())
                + (Double.isFinite(estimate.halfWidth()) ? " ± " + LineChart.number(estimate.halfWidth()) : "");
    }

    /** A line for each group, a column for each metric; the first line is the header. */
    public List<List<String>> table() {
        var table = new ArrayList<List<String>>();
        var header = new ArrayList<String>(List.of("run"));
        metrics().forEach(metric -> header.add(metric.label()));
        table.add(header);
        for (var group : groups) {
            var row = new ArrayList<String>(List.of(name(group, "")));
            metrics().forEach(metric -> row.add(shown(group.estimate(metric))));
            table.add(row);
        }
        return table;
    }

    /** As {@link #table()}, each group less the first, over the seeds that both have; only the header when there is no such pair. */
    public List<List<String>> differences() {
        var table = new ArrayList<List<String>>();
        var header = new ArrayList<String>(List.of("less " + name(groups.get(0), "")));
        metrics().forEach(metric -> header.add(metric.label()));
        table.add(header);
        for (var group : groups.subList(1, groups.size())) {
            var row = new ArrayList<String>(List.of(name(group, "")));
            metrics().forEach(metric -> row.add(shown(group.less(groups.get(0), metric))));
            if (row.stream().skip(1).anyMatch(text -> !text.equals("–"))) {
                table.add(row);
            }
        }
        return table;
    }

    private static String shown(PairedDifference difference) {
        return shown(difference.estimate())
                + (Double.isFinite(difference.p())
                        ? String.format(
                                Locale.ROOT,
                                " (p %.3g, n %d)",
                                difference.p(),
                                difference.estimate().count())
                        : "");
    }

    public ObjectNode json() {
        var json = RunJson.object();
        json.put("axis", axis.orElse(""));
        var all = json.putArray("groups");
        for (var group : groups) {
            var own = group.json();
            all.add(own);
            if (group != groups.get(0)) {
                var less = own.putObject("lessFirst");
                metrics().forEach(metric -> difference(less, metric, group.less(groups.get(0), metric)));
            }
        }
        return json;
    }

    private static void difference(ObjectNode less, RunMetric metric, PairedDifference difference) {
        if (difference.estimate().count() > 0) {
            var one = less.putObject(metric.path());
            RunJson.put(one, "mean", difference.estimate().mean());
            RunJson.put(one, "ci", difference.estimate().halfWidth());
            RunJson.put(one, "p", difference.p());
            one.put("n", difference.estimate().count());
        }
    }

    /** SVG drawings by file name. */
    public Map<String, String> plots() throws IOException {
        Map<String, String> plots = new LinkedHashMap<>();
        axis.ifPresent(name -> metrics()
                .forEach(metric ->
                        plots.put(metric.fileName() + ".svg", over(name, metric).svg())));
        var local = new LineChart("Waits of local jobs: share of jobs (%) that waited no longer", "seconds", true);
        var meta = new LineChart(
                "Waits of meta-jobs as soon as possible: share of jobs (%) that waited no longer", "seconds", true);
        for (var group : groups.subList(0, Math.min(MOST_LINES, groups.size()))) {
            var run = group.runs().get(0);
            local.add(WaitDistribution.of(name(group, ""), run.localWaits()));
            meta.add(WaitDistribution.of(name(group, ""), run.metaWaits()));
        }
        plots.put("ecdf-local.svg", local.svg());
        if (!meta.isEmpty()) {
            plots.put("ecdf-meta.svg", meta.svg());
        }
        return plots;
    }

    private LineChart over(String name, RunMetric metric) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (var group : groups) {
            var estimate = group.estimate(metric);
            String value = group.parameters().getOrDefault(name, "");
            if (isNumber(value) && Double.isFinite(estimate.mean())) {
                lines.computeIfAbsent(name(group, name), key -> new ArrayList<>())
                        .add(new Point(Double.parseDouble(value), estimate.mean(), estimate.halfWidth()));
            }
        }
        var chart = new LineChart(metric.label(), name, false);
        lines.forEach((line, points) -> {
            points.sort(java.util.Comparator.comparingDouble(Point::x));
            chart.add(new Series(line, points, false));
        });
        return chart;
    }
}
