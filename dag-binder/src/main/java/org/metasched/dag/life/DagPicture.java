package org.metasched.dag.life;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.dag.Dag;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.RunState;
import org.metasched.drawing.SvgWriter;

/**
 * A picture of a DAG in the colour of its site: parents above their children. Nodes of a level stand in the order of the file. The
 * colour comes from the site's name, so that a site has the same one in every picture.
 */
public final class DagPicture {

    private static final int MOST_DRAWN = 5000;
    // Pixels: the place of a node, and the box in it.
    private static final int WIDTH = 150;
    private static final int HEIGHT = 70;
    private static final int BOX_WIDTH = 130;
    private static final int BOX_HEIGHT = 32;

    private static final List<String> UNKNOWN = List.of("·", "#ffffff");

    /** The mark in a text and the colour in a drawing, by state; NOT_READY has those of UNKNOWN. */
    private static final Map<RunState, List<String>> LOOKS = Map.of(
            RunState.READY, List.of("○", "#fff3bf"),
            RunState.PRERUN, List.of("▷", "#d0ebff"),
            RunState.SUBMITTED, List.of("▶", "#74c0fc"),
            RunState.POSTRUN, List.of("▶", "#a5d8ff"),
            RunState.DONE, List.of("✓", "#8ce99a"),
            RunState.ERROR, List.of("✗", "#ff8787"),
            RunState.FUTILE, List.of("-", "#dee2e6"));

    private final Dag dag;
    private final String site;
    private final Map<String, RunState> states;

    /**
     * A picture with states, which the text and the drawing for browsers show.
     *
     * @param site name of the site to which the DAG is bound; empty if to none
     * @param states states of nodes, by name; these nodes get the colours of their states instead of the site's
     */
    public DagPicture(Dag dag, String site, Map<String, RunState> states) {
        this.dag = dag;
        this.site = site;
        this.states = Map.copyOf(states);
    }

    /**
     * The picture as lines of text, one for each level of the DAG: marked names of nodes, or the counts of the marks if names are too long.
     *
     * @param columns greatest length of a line of names
     */
    public List<String> text(int columns) {
        List<String> lines = new ArrayList<>();
        for (List<Integer> row : rows(levels())) {
            List<Integer> nodes =
                    row.stream().filter(v -> dag.kind(v) != NodeKind.JOIN).toList();
            String names = nodes.stream()
                    .map(v -> mark(v) + " " + dag.name(v).replaceAll("\\p{Cntrl}", "?"))
                    .collect(Collectors.joining("   "));
            var marks = new TreeMap<String, Integer>();
            nodes.forEach(v -> marks.merge(mark(v), 1, Integer::sum));
            if (!nodes.isEmpty()) {
                lines.add(
                        names.length() <= columns
                                ? names
                                : nodes.size() + " nodes: "
                                        + marks.entrySet().stream()
                                                .map(mark -> mark.getValue() + " " + mark.getKey())
                                                .collect(Collectors.joining("   ")));
            }
        }
        return lines;
    }

    private String mark(int vertex) {
        return look(vertex).get(0);
    }

    private List<String> look(int vertex) {
        return LOOKS.getOrDefault(states.getOrDefault(dag.name(vertex), RunState.NOT_READY), UNKNOWN);
    }

    private String fill(int vertex) {
        return states.containsKey(dag.name(vertex)) ? look(vertex).get(1) : dag.isDone(vertex) ? "#dddddd" : colour();
    }

    /** Writes the picture in the language of Graphviz, with any number of nodes. */
    public void writeDot(Appendable out) throws IOException {
        out.append("digraph dag {\n  node [shape=box, style=\"filled,rounded\", fillcolor=\"")
                .append(colour())
                .append("\"];\n  label=")
                .append(quoted(site))
                .append(";\n");
        for (int v = 0; v < dag.vertexCount(); v++) {
            out.append("  n").append(Integer.toString(v));
            if (dag.kind(v) == NodeKind.JOIN) {
                out.append(" [shape=point, label=\"\"");
            } else {
                out.append(" [label=").append(quoted(dag.name(v)));
                out.append(dag.kind(v) == NodeKind.SUBDAG ? ", shape=folder" : "");
                out.append(dag.isDone(v) ? ", fillcolor=\"#dddddd\"" : "");
            }
            out.append("];\n");
        }
        for (int v = 0; v < dag.vertexCount(); v++) {
            for (int child : dag.children(v).toArray()) {
                out.append("  n" + v + " -> n" + child + ";\n");
            }
        }
        out.append("}\n");
    }

    /**
     * Writes a picture for browsers.
     *
     * @throws IllegalArgumentException if there are more than {@value #MOST_DRAWN} nodes
     */
    public void writeSvg(Appendable out) throws IOException {
        if (dag.vertexCount() > MOST_DRAWN) {
            throw new IllegalArgumentException("A picture of " + dag.vertexCount() + " nodes is of no use; at most "
                    + MOST_DRAWN + " are drawn.\nMaybe Graphviz can do it (--dot).");
        }
        int[] levels = levels();
        List<List<Integer>> rows = rows(levels);
        int widest = rows.stream().mapToInt(List::size).max().orElse(1);
        int[] xs = new int[dag.vertexCount()];
        for (List<Integer> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                xs[row.get(i)] = (int) ((i + 0.5) * widest * WIDTH / row.size());
            }
        }
        var svg = new SvgWriter(
                "width",
                widest * WIDTH,
                "height",
                rows.size() * HEIGHT,
                "font-family",
                "sans-serif",
                "font-size",
                11,
                "text-anchor",
                "middle");
        svg.title(site);
        lines(svg, levels, xs);
        boxes(svg, levels, xs);
        out.append(svg.end());
    }

    private void lines(SvgWriter svg, int[] levels, int[] xs) {
        for (int v = 0; v < xs.length; v++) {
            for (int child : dag.children(v).toArray()) {
                svg.line(xs[v], y(levels[v]), xs[child], y(levels[child]), "stroke", "#888888");
            }
        }
    }

    private void boxes(SvgWriter svg, int[] levels, int[] xs) {
        for (int v = 0; v < xs.length; v++) {
            int y = y(levels[v]);
            if (dag.kind(v) == NodeKind.JOIN) {
                svg.circle(xs[v], y, 3);
                continue;
            }
            String name = dag.name(v);
            String label = name.length() > 20 ? name.substring(0, 19) + "…" : name;
            double left = xs[v] - BOX_WIDTH / 2;
            double top = y - BOX_HEIGHT / 2;
            svg.open("g").title(name + (states.containsKey(name) ? ": " + states.get(name) : ""));
            svg.rectangle(left, top, BOX_WIDTH, BOX_HEIGHT, "rx", 6, "fill", fill(v), "stroke", "#333333");
            svg.text(xs[v], y + 4, label).close();
        }
    }

    private static int y(int level) {
        return level * HEIGHT + HEIGHT / 2;
    }

    /** The number of arcs of the longest path to each vertex. */
    private int[] levels() {
        int[] levels = new int[dag.vertexCount()];
        for (int v : dag.parentsFirst()) {
            dag.children(v).forEach(child -> levels[child] = Math.max(levels[child], levels[v] + 1));
        }
        return levels;
    }

    private static List<List<Integer>> rows(int[] levels) {
        return List.copyOf(IntStream.range(0, levels.length)
                .boxed()
                .collect(Collectors.groupingBy(vertex -> levels[vertex], TreeMap::new, Collectors.toList()))
                .values());
    }

    private String colour() {
        if (site.isEmpty()) {
            return "#ffffff";
        }
        float hue = Math.floorMod(site.hashCode(), 360) / 360f;
        var colour = new StringBuilder("#");
        for (int i = 0; i < 3; i++) {
            // Red, green and blue are a third of the circle apart; a bright mean keeps the text readable.
            float light = (float) (0.8 + 0.18 * Math.cos(2 * Math.PI * (hue + i / 3.0)));
            colour.append(String.format(Locale.ROOT, "%02x", (int) (light * 255)));
        }
        return colour.toString();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
