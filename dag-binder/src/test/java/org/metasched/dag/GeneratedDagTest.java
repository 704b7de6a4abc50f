package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.dag.life.DagPicture;
import org.xml.sax.InputSource;

/** Generated DAGs with splices against a model that keeps every dependency as a pair of names. */
class GeneratedDagTest {

    private static final int CASES = 60;

    @TempDir
    Path folder;

    /** A DAG as pairs; what a splice is seen as from outside follows from them. */
    private static final class Model {
        final Set<String> nodes = new TreeSet<>();
        final Set<String> edges = new TreeSet<>();
        final Map<String, List<String>> initial = new LinkedHashMap<>();
        final Map<String, List<String>> terminal = new LinkedHashMap<>();

        void job(String name) {
            nodes.add(name);
            initial.put(name, List.of(name));
            terminal.put(name, List.of(name));
        }

        void splice(String name, Model inner) {
            inner.nodes.forEach(node -> nodes.add(name + "+" + node));
            inner.edges.forEach(edge -> edges.add(edge(name + "+" + parent(edge), name + "+" + child(edge))));
            initial.put(name, inner.ends(name, false));
            terminal.put(name, inner.ends(name, true));
        }

        private List<String> ends(String prefix, boolean parents) {
            Set<String> free = new TreeSet<>(nodes);
            edges.forEach(edge -> free.remove(parents ? parent(edge) : child(edge)));
            return free.stream().map(node -> prefix + "+" + node).toList();
        }

        void family(List<String> parents, List<String> children) {
            for (String parent : parents) {
                for (String from : terminal.get(parent)) {
                    for (String child : children) {
                        initial.get(child).forEach(to -> edges.add(edge(from, to)));
                    }
                }
            }
        }

        static String edge(String parent, String child) {
            return parent + " " + child;
        }

        static String parent(String edge) {
            return edge.substring(0, edge.indexOf(' '));
        }

        static String child(String edge) {
            return edge.substring(edge.indexOf(' ') + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nodesAndDependenciesAreThoseOfTheModel(long seed) throws IOException {
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(seed * 1000 + i);
            Model model = new Model();
            ParsedDag parsed = new DagParser().parse(write("top", random, model, 2));

            assertThat(parsed.errors()).as("case %d of seed %d", i, seed).isEmpty();
            Dag dag = parsed.dag();
            assertThat(names(dag)).as("case %d of seed %d", i, seed).isEqualTo(model.nodes);
            assertThat(edges(dag)).as("case %d of seed %d", i, seed).isEqualTo(model.edges);
            assertThat(dag.nodeCount()).isEqualTo(model.nodes.size());
            assertThat(dag.edgeCount()).isEqualTo(model.edges.size());
        }
    }

    @Test
    void aCycleIsPrintedAsAPathOfDependencies() throws IOException {
        for (int i = 0; i < CASES; i++) {
            Model model = new Model();
            Path file = write("top", new Random(i), model, 0);
            List<String> names = new ArrayList<>(model.initial.keySet());
            String last = names.get(names.size() - 1);
            model.family(List.of(names.get(0)), List.of(last));
            model.family(List.of(last), List.of(names.get(0)));
            Files.writeString(
                    file,
                    Files.readString(file) + "PARENT " + names.get(0) + " CHILD " + last + "\nPARENT " + last
                            + " CHILD " + names.get(0) + "\n");

            ParsedDag parsed = new DagParser().parse(file);

            assertThat(parsed.errors()).singleElement().satisfies(problem -> {
                String reason = problem.reason();
                List<String> path = Arrays.asList(
                        reason.substring(reason.indexOf("dag: ") + 5).split(" -> "));
                assertThat(path).hasSizeGreaterThan(1).startsWith(path.get(path.size() - 1));
                for (int at = 1; at < path.size(); at++) {
                    assertThat(model.edges).contains(Model.edge(path.get(at - 1), path.get(at)));
                }
            });
        }
    }

    @Test
    void aPictureShowsEveryNodeAndArc() throws Exception {
        for (int i = 0; i < 20; i++) {
            Model model = new Model();
            Dag dag =
                    new DagParser().parse(write("top", new Random(i), model, 1)).dag();
            var dot = new StringBuilder();
            var svg = new StringBuilder();
            new DagPicture(dag, i % 2 == 0 ? "" : "a <\"site\">", Map.of()).writeDot(dot);
            new DagPicture(dag, i % 2 == 0 ? "" : "a <\"site\">&", Map.of()).writeSvg(svg);

            assertThat(dot.toString().lines().filter(line -> line.contains(" -> ")))
                    .hasSize(dag.arcCount());
            assertThat(dot.toString().lines().filter(line -> line.contains("[label=")))
                    .hasSize(dag.nodeCount());
            var drawn = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg.toString())));
            assertThat(drawn.getElementsByTagName("rect").getLength()).isEqualTo(dag.nodeCount());
            assertThat(drawn.getElementsByTagName("line").getLength()).isEqualTo(dag.arcCount());
            assertThat(drawn.getElementsByTagName("circle").getLength()).isEqualTo(dag.joinCount());
        }
    }

    /** Dependencies lead from what is declared earlier to what is declared later, so that there is no cycle. */
    private Path write(String name, Random random, Model model, int depth) throws IOException {
        var text = new StringBuilder();
        int count = 2 + random.nextInt(7);
        for (int i = 0; i < count; i++) {
            String item = "N" + i;
            if (depth > 0 && random.nextInt(4) == 0) {
                Model inner = new Model();
                Path file = write(name + "_" + i, random, inner, depth - 1);
                text.append("SPLICE ")
                        .append(item)
                        .append(' ')
                        .append(file.getFileName())
                        .append('\n');
                model.splice(item, inner);
            } else {
                text.append("JOB ").append(item).append(" a.sub").append(random.nextBoolean() ? "" : " DONE");
                text.append('\n');
                model.job(item);
            }
        }
        for (int line = random.nextInt(6); line > 0; line--) {
            int cut = 1 + random.nextInt(count - 1);
            List<String> parents = some(random, 0, cut);
            List<String> children = some(random, cut, count);
            text.append(random.nextBoolean() ? "PARENT " : "parent ")
                    .append(String.join(" ", parents))
                    .append(" CHILD ")
                    .append(String.join(" ", children))
                    .append('\n');
            model.family(parents, children);
        }
        return Files.writeString(folder.resolve(name + ".dag"), text);
    }

    private static List<String> some(Random random, int from, int to) {
        Set<String> chosen = new TreeSet<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            chosen.add("N" + (from + random.nextInt(to - from)));
        }
        return List.copyOf(chosen);
    }

    private static Set<String> names(Dag dag) {
        Set<String> names = new TreeSet<>();
        for (int v = 0; v < dag.vertexCount(); v++) {
            if (dag.kind(v) != NodeKind.JOIN) {
                names.add(dag.name(v));
            }
        }
        return names;
    }

    /** Join nodes are seen through. */
    private static Set<String> edges(Dag dag) {
        Set<String> edges = new TreeSet<>();
        for (int v = 0; v < dag.vertexCount(); v++) {
            if (dag.kind(v) == NodeKind.JOIN) {
                continue;
            }
            for (int child : dag.children(v).toArray()) {
                int[] ends =
                        dag.kind(child) == NodeKind.JOIN ? dag.children(child).toArray() : new int[] {child};
                for (int end : ends) {
                    edges.add(Model.edge(dag.name(v), dag.name(end)));
                }
            }
        }
        return edges;
    }
}
