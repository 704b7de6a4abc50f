package org.metasched.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.metasched.drawing.AxisScale;
import org.metasched.drawing.SvgWriter;

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
        var across = new AxisScale(left, right, LEFT, WIDTH - RIGHT);
        var up = new AxisScale(low, high, HEIGHT - BOTTOM, TOP);
        var svg = SvgWriter.sheet(WIDTH, HEIGHT, key);
        axes(svg, across, up);
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "jobs", "text-anchor", "middle");
        svg.text(LEFT, 18, key);
        int number = 0;
        for (Map.Entry<String, List<Point>> entry : lines.entrySet()) {
            String colour = COLOURS[number % COLOURS.length];
            double[] line = entry.getValue().stream()
                    .flatMapToDouble(p -> DoubleStream.of(across.at(Math.log10(p.x())), up.at(Math.log10(p.y()))))
                    .toArray();
            for (int i = 0; i < line.length; i += 2) {
                svg.circle(line[i], line[i + 1], 3, "fill", colour);
            }
            svg.polyline(line, "stroke", colour, "stroke-width", 2);
            int y = TOP + 16 * number++;
            svg.line(WIDTH - RIGHT + 16, y, WIDTH - RIGHT + 36, y, "stroke", colour, "stroke-width", 2);
            svg.text(WIDTH - RIGHT + 42, y + 4, entry.getKey());
        }
        return svg.end();
    }

    private static void axes(SvgWriter svg, AxisScale across, AxisScale up) {
        for (double power = across.least(); power <= across.most(); power++) {
            svg.line(across.at(power), TOP, across.at(power), HEIGHT - BOTTOM, "stroke", "#dddddd");
            svg.text(across.at(power), HEIGHT - BOTTOM + 18, "10^" + (int) power, "text-anchor", "middle");
        }
        for (double power = up.least(); power <= up.most(); power++) {
            svg.line(LEFT, up.at(power), WIDTH - RIGHT, up.at(power), "stroke", "#dddddd");
            svg.text(LEFT - 8, up.at(power) + 4, "10^" + (int) power, "text-anchor", "end");
        }
    }
}
