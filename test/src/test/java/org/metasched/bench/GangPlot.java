package org.metasched.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws lines of {@code gang bench --json} as an SVG: jobs against one of the keys, both logarithmic, a line for each algorithm, density and
 * selectivity.
 *
 * <p>Arguments: a file of JSON lines, the key (probes, millis), the SVG to write.
 */
public final class GangPlot {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 480;
    private static final int LEFT = 80;
    private static final int RIGHT = 200;
    private static final int TOP = 30;
    private static final int BOTTOM = 50;
    private static final String[] COLOURS = {
        "#1b6ca8", "#c8102e", "#2e8b57", "#e08e0b", "#6a3d9a", "#5b5b5b", "#00a0a0", "#a0522d"
    };

    private record Point(double x, double y) {}

    private GangPlot() {}

    public static void main(String[] arguments) throws IOException {
        String key = arguments[1];
        Map<String, List<Point>> lines = read(Path.of(arguments[0]), key);
        Files.writeString(Path.of(arguments[2]), draw(lines, key));
    }

    private static Map<String, List<Point>> read(Path file, String key) throws IOException {
        var mapper = new ObjectMapper();
        var lines = new TreeMap<String, List<Point>>();
        for (String line : Files.readAllLines(file)) {
            JsonNode run = mapper.readTree(line);
            String name = "%s L%d S%d%s"
                    .formatted(
                            run.get("algorithm").asText(),
                            run.get("licenseDensity").asInt(),
                            run.get("selectivity").asInt(),
                            run.path("hard").asBoolean() ? " hard" : "");
            double value = run.get(key).asDouble();
            if (value > 0) {
                lines.computeIfAbsent(name, n -> new ArrayList<>())
                        .add(new Point(run.get("jobs").asDouble(), value));
            }
        }
        lines.values().forEach(points -> points.sort(Comparator.comparingDouble(Point::x)));
        return lines;
    }

    private static String draw(Map<String, List<Point>> lines, String key) {
        List<Point> all = lines.values().stream().flatMap(List::stream).toList();
        double left = Math.floor(
                all.stream().mapToDouble(p -> Math.log10(p.x())).min().orElse(0));
        double right =
                Math.ceil(all.stream().mapToDouble(p -> Math.log10(p.x())).max().orElse(1));
        double low = Math.floor(
                all.stream().mapToDouble(p -> Math.log10(p.y())).min().orElse(0));
        double high =
                Math.ceil(all.stream().mapToDouble(p -> Math.log10(p.y())).max().orElse(1));
        var svg = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        .formatted(WIDTH, HEIGHT));
        svg.append("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n".formatted(WIDTH, HEIGHT));
        for (double power = left; power <= right; power++) {
            double x = scaled(power, left, right, LEFT, WIDTH - RIGHT);
            line(svg, x, TOP, x, HEIGHT - BOTTOM, "#dddddd", 1);
            text(svg, x, HEIGHT - BOTTOM + 18, "middle", "10^" + (int) power);
        }
        for (double power = low; power <= high; power++) {
            double y = scaled(power, low, high, HEIGHT - BOTTOM, TOP);
            line(svg, LEFT, y, WIDTH - RIGHT, y, "#dddddd", 1);
            text(svg, LEFT - 8, y + 4, "end", "10^" + (int) power);
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "jobs");
        text(svg, LEFT, 18, "start", key);
        int number = 0;
        for (Map.Entry<String, List<Point>> entry : lines.entrySet()) {
            String colour = COLOURS[number % COLOURS.length];
            Point before = null;
            for (Point point : entry.getValue()) {
                Point here = new Point(
                        scaled(Math.log10(point.x()), left, right, LEFT, WIDTH - RIGHT),
                        scaled(Math.log10(point.y()), low, high, HEIGHT - BOTTOM, TOP));
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
                        here.x(),
                        here.y(),
                        colour));
                if (before != null) {
                    line(svg, before.x(), before.y(), here.x(), here.y(), colour, 2);
                }
                before = here;
            }
            int y = TOP + 16 * number++;
            line(svg, WIDTH - RIGHT + 16, y, WIDTH - RIGHT + 36, y, colour, 2);
            text(svg, WIDTH - RIGHT + 42, y + 4, "start", entry.getKey());
        }
        return svg.append("</svg>\n").toString();
    }

    private static double scaled(double value, double from, double to, double low, double high) {
        return low + (value - from) / Math.max(1e-9, to - from) * (high - low);
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2, String colour, int width) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour,
                width));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }
}
