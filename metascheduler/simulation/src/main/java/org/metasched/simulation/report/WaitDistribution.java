package org.metasched.simulation.report;

import java.util.ArrayList;
import java.util.Arrays;
import org.metasched.simulation.report.LineChart.Point;
import org.metasched.simulation.report.LineChart.Series;

/** The share of jobs that waited at most a given time. */
final class WaitDistribution {

    /** Most points of a series, approximately: as many as a drawing of this size can show. */
    private static final int MOST_POINTS = 200;

    private WaitDistribution() {}

    /** The share of jobs, in per cent, over their waits in seconds. */
    static Series of(String name, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        var points = new ArrayList<Point>();
        int step = Math.max(1, sorted.length / MOST_POINTS);
        int due = 0;
        for (int i = 0; i < sorted.length; i++) {
            boolean isLast = i + 1 == sorted.length;
            boolean isLastOfEquals = isLast || sorted[i + 1] > sorted[i];
            if (isLast || (isLastOfEquals && i >= due)) {
                points.add(new Point(sorted[i], (i + 1) * 100.0 / sorted.length, Double.NaN));
                due = i + step;
            }
        }
        return new Series(name, points, true);
    }
}
