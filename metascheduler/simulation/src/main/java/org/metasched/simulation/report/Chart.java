package org.metasched.simulation.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Lines over one axis of numbers, with whiskers where a value has an interval. */
final class Chart {

    static final List<String> COLOURS =
            List.of("#1b6ca8", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#444444", "#0f8b8d", "#c86fc9");

    private static final int WIDTH = 560;
    private static final int HEIGHT = 320;
    private static final int LEFT = 64;
    private static final int RIGHT = 24;
    private static final int TOP = 34;
    private static final int BOTTOM = 46;
    private static final int TICKS = 5;
    /** Places of points that have a tick each. */
    private static final int MOST_PLACES = 9;

    private final String title;
    private final String xLabel;
    private final boolean isLogarithmic;
    private final List<Series> all = new ArrayList<>();

    /** @param isLogarithmic whether the horizontal axis is; values below 1 are drawn at 1 */
    Chart(String title, String xLabel, boolean isLogarithmic) {
        this.title = title;
        this.xLabel = xLabel;
        this.isLogarithmic = isLogarithmic;
    }

    /** @param halfWidth NaN where there is no interval */
    record Point(double x, double y, double halfWidth) {}

    /** @param isStep whether the value holds until the next point */
    record Series(String name, List<Point> points, boolean isStep) {}

    /** A series without points is left out. */
    void add(Series series) {
        if (!series.points().isEmpty()) {
            all.add(series);
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    private double scaled(double x) {
        return isLogarithmic ? Math.log10(Math.max(1, x)) : x;
    }

    private DoubleStream positions() {
        return all.stream().flatMap(s -> s.points().stream()).mapToDouble(p -> scaled(p.x()));
    }

    /** A logarithmic axis begins and ends at a power of ten. */
    private double least() {
        double least = positions().min().orElse(0);
        return isLogarithmic ? Math.floor(least) : least;
    }

    private double most() {
        double most = positions().max().orElse(1);
        double end = isLogarithmic ? Math.ceil(most) : most;
        return end > least() ? end : least() + 1;
    }

    /** Where the points are when they are few, powers of ten, or so many equal steps. */
    private double[] ticks() {
        double[] places = positions().distinct().sorted().toArray();
        if (isLogarithmic) {
            return IntStream.rangeClosed((int) least(), (int) most())
                    .asDoubleStream()
                    .toArray();
        }
        return places.length <= MOST_PLACES
                ? places
                : IntStream.rangeClosed(0, TICKS)
                        .mapToDouble(i -> least() + (most() - least()) * i / TICKS)
                        .toArray();
    }

    private double highest() {
        double highest = all.stream()
                .flatMap(s -> s.points().stream())
                .mapToDouble(p -> p.y() + (Double.isNaN(p.halfWidth()) ? 0 : p.halfWidth()))
                .max()
                .orElse(1);
        return highest > 0 ? rounded(highest) : 1;
    }

    /** Up to the next 1, 2, 2.5, 5 times a power of ten for each tick. */
    private static double rounded(double highest) {
        double step = highest / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        for (double nice : new double[] {1, 2, 2.5, 5, 10}) {
            if (step <= nice * power * (1 + 1e-9)) {
                return nice * power * TICKS;
            }
        }
        return highest;
    }

    String svg() {
        var svg = new Svg(WIDTH, HEIGHT + 16 * all.size(), title);
        svg.text(WIDTH / 2.0, 18, "middle", title);
        axes(svg);
        for (int i = 0; i < all.size(); i++) {
            var colour = COLOURS.get(i % COLOURS.size());
            draw(svg, all.get(i), colour);
            double y = HEIGHT + 16.0 * i;
            svg.rectangle(LEFT, y - 8, 10, 10, colour);
            svg.text(LEFT + 16, y + 1, "start", all.get(i).name());
        }
        return svg.end();
    }

    private double x(double value) {
        return LEFT + (scaled(value) - least()) / (most() - least()) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        double inside = Math.max(0, Math.min(1, value / highest()));
        return HEIGHT - BOTTOM - inside * (HEIGHT - TOP - BOTTOM);
    }

    private void axes(Svg svg) {
        double bottom = HEIGHT - (double) BOTTOM;
        for (int i = 0; i <= TICKS; i++) {
            double value = highest() * i / TICKS;
            svg.line(LEFT, y(value), WIDTH - (double) RIGHT, y(value), i == 0 ? "#222" : "#ddd", 1);
            svg.text(LEFT - 6, y(value) + 4, "end", number(value));
        }
        svg.line(LEFT, TOP, LEFT, bottom, "#222", 1);
        for (double at : ticks()) {
            double x = LEFT + (at - least()) / (most() - least()) * (WIDTH - LEFT - RIGHT);
            svg.line(x, bottom, x, bottom + 4, "#222", 1);
            svg.text(x, bottom + 16, "middle", number(isLogarithmic ? Math.pow(10, at) : at));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 32, "middle", xLabel);
    }

    private void draw(Svg svg, Series series, String colour) {
        var points = new StringBuilder();
        double lastY = Double.NaN;
        for (var point : series.points()) {
            if (series.isStep() && !Double.isNaN(lastY)) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.x()), lastY));
            }
            lastY = y(point.y());
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.x()), lastY));
            if (!series.isStep()) {
                svg.circle(x(point.x()), lastY, colour);
                if (!Double.isNaN(point.halfWidth())) {
                    svg.line(
                            x(point.x()),
                            y(point.y() - point.halfWidth()),
                            x(point.x()),
                            y(point.y() + point.halfWidth()),
                            colour,
                            1);
                }
            }
        }
        svg.polyline(points.toString().strip(), colour);
    }

    /** Three digits that count. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        double size = Math.abs(value);
        if (size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String text = String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
