package org.metasched.simulation.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.metasched.drawing.AxisScale;
import org.metasched.drawing.SvgWriter;
import org.metasched.simulation.result.RunFiles;

/**
 * Chart of busy nodes over time, site by site. Each job is drawn on the first nodes that are free at its start, as the files of a run have
 * only the number of its nodes.
 */
final class NodeUsageChart {

    private static final int WIDTH = 900;
    private static final int LEFT = 70;
    private static final int SITE_HEIGHT = 150;
    private static final String LOCAL = "#9bbcd6";
    private static final String OTHER_LOCAL = "#b9d1e3";
    private static final String META = "#d1495b";

    private final CompletedRun run;
    private final long from;
    private final long until;
    private final AxisScale time;
    private final Map<String, List<Bar>> bars = new LinkedHashMap<>();

    private record Bar(long start, long end, int nodes, boolean isMeta) {}

    /**
     * @param from first second of the run that is drawn
     * @param until last second that is drawn
     */
    NodeUsageChart(CompletedRun run, long from, long until) {
        this.run = run;
        this.from = from;
        this.until = until;
        this.time = new AxisScale(from, until, LEFT, WIDTH - 20.0);
    }

    String svg() throws IOException {
        run.figures().path("sites").fieldNames().forEachRemaining(site -> bars.put(site, new ArrayList<>()));
        run.read(RunFiles.LOCAL, Set.of("start", "end"), row -> add(row, false, "site", "allocated", "start", "end"));
        run.read(
                RunFiles.META,
                Set.of("held_from", "held_until"),
                row -> add(row, true, "sites", "nodes", "held_from", "held_until"));
        var svg = SvgWriter.sheet(WIDTH, 60 + SITE_HEIGHT * bars.size(), "Nodes over time");
        svg.text(LEFT, 18, "Nodes over time, run " + run.name() + ": local jobs blue, reservations of meta-jobs red");
        int top = 30;
        for (var site : bars.entrySet()) {
            draw(svg, site.getKey(), site.getValue(), top);
            top += SITE_HEIGHT;
        }
        for (int i = 0; i <= 6; i++) {
            double second = from + (until - from) * i / 6.0;
            svg.text(time.at(second), top + 14, LineChart.number(second / 3600) + " h", "text-anchor", "middle");
        }
        return svg.end();
    }

    /** @param columns names of the columns with sites, nodes, starts and ends, each with a value for each part */
    private void add(Map<String, String> row, boolean isMeta, String... columns) {
        var parts = Stream.of(columns)
                .map(column -> row.getOrDefault(column, "missing").split("\\+"))
                .toList();
        // A meta-job that was not granted holds nothing: its times are one empty text.
        for (int i = 0; i < parts.get(3).length && !parts.get(3)[i].isEmpty(); i++) {
            long begin = Long.parseLong(parts.get(2)[i]);
            long finish = Long.parseLong(parts.get(3)[i]);
            if (begin < until && finish > from) {
                bars.computeIfAbsent(parts.get(0)[i], key -> new ArrayList<>())
                        .add(new Bar(begin, finish, Integer.parseInt(parts.get(1)[i]), isMeta));
            }
        }
    }

    private void draw(SvgWriter svg, String site, List<Bar> ofSite, int top) {
        int nodes = run.figures().path("sites").path(site).path("nodes").asInt(1);
        double height = SITE_HEIGHT - 20.0;
        svg.text(LEFT - 8, top + height / 2, site, "text-anchor", "end");
        svg.rectangle(LEFT, top, WIDTH - LEFT - 20.0, height, "fill", "#f4f4f4");
        long[] freeFrom = new long[nodes];
        ofSite.sort(Comparator.comparingLong(Bar::start).thenComparing(bar -> !bar.isMeta()));
        int count = 0;
        for (var bar : ofSite) {
            var colour = bar.isMeta() ? META : count++ % 2 == 0 ? LOCAL : OTHER_LOCAL;
            int remaining = bar.nodes();
            for (int i = 0; i < nodes && remaining > 0; i++) {
                if (freeFrom[i] > bar.start()) {
                    continue;
                }
                int first = i;
                while (i < nodes && remaining > 0 && freeFrom[i] <= bar.start()) {
                    freeFrom[i++] = bar.end();
                    remaining--;
                }
                double begin = time.at(Math.max(from, bar.start()));
                svg.rectangle(
                        begin,
                        top + height * first / nodes,
                        Math.max(0.3, time.at(Math.min(until, bar.end())) - begin),
                        height * (i - first) / nodes,
                        "fill",
                        colour);
            }
        }
    }
}
