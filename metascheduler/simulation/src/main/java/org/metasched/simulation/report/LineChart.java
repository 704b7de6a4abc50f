package org.metasched.simulation.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.metasched.drawing.AxisScale;
import org.metasched.drawing.SvgWriter;

/** Lines over one axis of numbers, with whiskers where a value has an interval. */
final class LineChart {

    static final List<String> COLOURS =
            List.of("#1b6ca8", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#444444", "#0f8b8d", "#c86fc9");

    /** The dashes of lines, which tell them apart without colours. */
    private static final List<String> DASHES = List.of("none", "7 3", "2 3", "9 3 2 3", "12 4", "4 6");
    /** Numbers of corners of the marks of points; 0 for a disc. */
    private static final int[] CORNERS = {0, 3, 4, 5};

    /** Radius of a mark. */
    private static final double MARK = 3.5;

    /** Length of a line in the legend. */
    private static final double LEGEND = 32;

    private static final int WIDTH = 560;
    private static final int HEIGHT = 320;
    private static final int LEFT = 64;
    private static final int RIGHT = 24;
    private static final int TOP = 34;
    private static final int BOTTOM = 46;
    private static final int TICKS = 5;
    /** Most positions of points that have a tick each; with more, ticks are evenly spread. */
    private static final int MOST_OWN_TICKS = 9;

    private final String title;
    private final String xLabel;
    private final boolean isLogarithmic;
    private final List<Series> series = new ArrayList<>();

    /** @param isLogarithmic whether the horizontal axis is logarithmic; values below 1 are drawn at 1 */
    LineChart(String title, String xLabel, boolean isLogarithmic) {
        this.title = title;
        this.xLabel = xLabel;
        this.isLogarithmic = isLogarithmic;
    }

    /** @param halfWidth half the width of the confidence interval of y; NaN where there is none */
    record Point(double x, double y, double halfWidth) {}

    /** @param isStep whether the value holds until the next point */
    record Series(String name, List<Point> points, boolean isStep) {}

    /** Adds a series, unless it has no points. */
    void add(Series line) {
        if (!line.points().isEmpty()) {
            series.add(line);
        }
    }

    boolean isEmpty() {
        return series.isEmpty();
    }

    private double scaled(double x) {
        return isLogarithmic ? Math.log10(Math.max(1, x)) : x;
    }

    /** The horizontal axis over scaled positions in ascending order. A logarithmic one begins and ends at a power of ten. */
    private AxisScale across(double[] positions) {
        double least = positions.length == 0 ? 0 : positions[0];
        double most = positions.length == 0 ? 1 : positions[positions.length - 1];
        double from = isLogarithmic ? Math.floor(least) : least;
        double to = isLogarithmic ? Math.ceil(most) : most;
        return new AxisScale(from, to > from ? to : from + 1, LEFT, WIDTH - (double) RIGHT);
    }

    /** Positions of ticks: powers of ten on a logarithmic axis, else the points' own if they are few, else {@link #TICKS} equal steps. */
    private double[] ticks(AxisScale across, double[] positions) {
        if (isLogarithmic) {
            return IntStream.rangeClosed((int) across.least(), (int) across.most())
                    .asDoubleStream()
                    .toArray();
        }
        return positions.length <= MOST_OWN_TICKS
                ? positions
                : IntStream.rangeClosed(0, TICKS)
                        .mapToDouble(i -> across.least() + (across.most() - across.least()) * i / TICKS)
                        .toArray();
    }

    /** The ends of all intervals: the lower ones for -1, the upper ones for 1. */
    private DoubleStream ends(int side) {
        return series.stream()
                .flatMap(s -> s.points().stream())
                .mapToDouble(p -> p.y() + (Double.isNaN(p.halfWidth()) ? 0 : side * p.halfWidth()));
    }

    /** The vertical axis, from 0 or the tick below the lowest value. */
    private AxisScale up() {
        double lowest = Math.min(0, ends(-1).min().orElse(0));
        double highest = Math.max(0, ends(1).max().orElse(0));
        double step = step(lowest, highest);
        double most = lowest < 0 ? step * Math.ceil(highest / step) : step * TICKS;
        return new AxisScale(-step * Math.ceil(-lowest / step), most, HEIGHT - (double) BOTTOM, TOP);
    }

    /** The step between ticks: 1, 2, 2.5 or 5 times a power of ten, such that {@link #TICKS} of them reach both values from 0. */
    private static double step(double lowest, double highest) {
        double largest = Math.max(highest, -lowest);
        double step = (largest > 0 ? largest : 1) / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        for (double nice : new double[] {1, 2, 2.5, 5, 10}) {
            if (step <= nice * power * (1 + 1e-9)) {
                return nice * power;
            }
        }
        return step;
    }

    String svg() {
        double[] positions = series.stream()
                .flatMap(s -> s.points().stream())
                .mapToDouble(p -> scaled(p.x()))
                .distinct()
                .sorted()
                .toArray();
        var across = across(positions);
        var up = up();
        var svg = SvgWriter.sheet(WIDTH, HEIGHT + 16 * series.size(), title);
        svg.text(WIDTH / 2.0, 18, title, "text-anchor", "middle");
        axes(svg, across, up, ticks(across, positions));
        for (int i = 0; i < series.size(); i++) {
            draw(svg, across, up, i);
            double y = HEIGHT + 16.0 * i;
            line(svg, i, LEFT, y - 3, LEFT + LEGEND, y - 3);
            if (!series.get(i).isStep()) {
                mark(svg, i, LEFT + LEGEND / 2, y - 3);
            }
            svg.text(LEFT + LEGEND + 6, y + 1, series.get(i).name());
        }
        return svg.end();
    }

    private void axes(SvgWriter svg, AxisScale across, AxisScale up, double[] ticks) {
        double bottom = up.begin();
        double step = step(up.least(), up.most());
        for (long i = Math.round(up.least() / step); i <= Math.round(up.most() / step); i++) {
            double value = step * i;
            svg.line(LEFT, up.at(value), across.end(), up.at(value), "stroke", i == 0 ? "#222" : "#ddd");
            svg.text(LEFT - 6, up.at(value) + 4, number(value), "text-anchor", "end");
        }
        svg.line(LEFT, TOP, LEFT, bottom, "stroke", "#222");
        for (double at : ticks) {
            double x = across.at(at);
            svg.line(x, bottom, x, bottom + 4, "stroke", "#222");
            svg.text(x, bottom + 16, number(isLogarithmic ? Math.pow(10, at) : at), "text-anchor", "middle");
        }
        svg.text((LEFT + across.end()) / 2, bottom + 32, xLabel, "text-anchor", "middle");
    }

    private static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    private static void line(SvgWriter svg, int number, double... points) {
        String dashes = DASHES.get(number % DASHES.size());
        svg.polyline(points, "stroke", colour(number), "stroke-width", 1.8, "stroke-dasharray", dashes);
    }

    private static void mark(SvgWriter svg, int number, double x, double y) {
        int corners = CORNERS[number % CORNERS.length];
        if (corners == 0) {
            svg.circle(x, y, MARK, "fill", colour(number));
            return;
        }
        var outline = DoubleStream.builder();
        for (int i = 0; i <= corners; i++) {
            double angle = 2 * Math.PI * i / corners - Math.PI / 2;
            outline.add(x + MARK * Math.cos(angle)).add(y + MARK * Math.sin(angle));
        }
        svg.polyline(outline.build().toArray(), "stroke", colour(number), "stroke-width", 1.5);
    }

    private void draw(SvgWriter svg, AxisScale across, AxisScale up, int number) {
        var drawn = series.get(number);
        var line = DoubleStream.builder();
        double before = Double.NaN;
        for (var point : drawn.points()) {
            double x = across.at(scaled(point.x()));
            double y = inside(up, point.y());
            if (drawn.isStep() && !Double.isNaN(before)) {
                line.add(x).add(before);
            }
            line.add(x).add(y);
            before = y;
            if (!drawn.isStep()) {
                mark(svg, number, x, y);
                if (!Double.isNaN(point.halfWidth())) {
                    double low = inside(up, point.y() - point.halfWidth());
                    svg.line(x, low, x, inside(up, point.y() + point.halfWidth()), "stroke", colour(number));
                }
            }
        }
        line(svg, number, line.build().toArray());
    }

    private static double inside(AxisScale up, double value) {
        return up.at(Math.max(up.least(), Math.min(up.most(), value)));
    }

    /** A number with three significant digits, but all of those before the decimal point and no more than three decimals. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        double size = Math.abs(value);
        if (size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String text = String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
        String shortened = text.replaceAll("\\.?0+$", "");
        return shortened.equals("-0") ? "0" : shortened;
    }
}
