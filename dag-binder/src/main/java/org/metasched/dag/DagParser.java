package org.metasched.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads DAG files as strictly as condor's tools do, in one pass, with all their splices and includes. Accepts what both
 * condor_dag_checker and condor_dagman accept, and refuses what either refuses or crashes on. {@code O(bytes read)}, as a splice is
 * read each time that it is used.
 *
 * <p>File names in a DAG are relative to the directory of the DAG file (condor: to the one where condor_submit_dag is run, which is
 * the same by custom, or with {@code -UseDagDir} by force).
 */
public final class DagParser {

    private final DagLimits limits;

    public DagParser() {
        this(DagLimits.DEFAULT);
    }

    public DagParser(DagLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads a DAG.
     *
     * @throws IOException if the file itself cannot be read; a file that it refers to is an error in the result
     */
    public ParsedDag parse(Path file) throws IOException {
        return parse(file, folderOf(file));
    }

    /**
     * Reads a DAG that is run from another directory than its own, as a SUBDAG without DIR is.
     *
     * @param directory to which file names in the DAG are relative
     * @throws IOException if the file itself cannot be read
     */
    public ParsedDag parse(Path file, Path directory) throws IOException {
        return read(file, directory, false, false).parsed();
    }

    /**
     * Reads a DAG with the properties of its nodes; finds the same errors.
     *
     * @throws IOException if the file itself cannot be read
     */
    public DagNodes nodes(Path file) throws IOException {
        return nodes(file, folderOf(file));
    }

    /**
     * Reads a DAG that is run from another directory, with the properties of its nodes.
     *
     * @param directory to which file names in the DAG are relative
     * @throws IOException if the file itself cannot be read
     */
    public DagNodes nodes(Path file, Path directory) throws IOException {
        return read(file, directory, true, true);
    }

    /** Reads a DAG as {@link #nodes(Path, Path)} does, without its {@link DagNodes#families}, which a large DAG has millions of. */
    public DagNodes nodesWithoutFamilies(Path file, Path directory) throws IOException {
        return read(file, directory, true, false);
    }

    /** The absolute path of the folder in which a file lies. */
    public static Path folderOf(Path file) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null ? Path.of("/") : parent;
    }

    private DagNodes read(Path file, Path directory, boolean keepsNodes, boolean keepsFamilies) throws IOException {
        DagSession session = new DagSession(
                directory.toAbsolutePath().normalize(), limits, new DagDetails(keepsNodes, keepsFamilies));
        NodeNamespace scope = new NodeNamespace(session, "", "");
        try {
            String problem = CommandReader.read(scope, file, file.toString(), 0);
            if (problem != null && session.sources.isEmpty()) {
                throw new IOException("The DAG file (" + file + ") cannot be read: " + problem);
            }
            if (problem != null) {
                session.problems.error(new DagProblem(file.toString(), 0, 0, "", problem, ""));
            }
            new ScopeResolver(scope).resolve();
        } catch (DagTooLargeException e) {
            session.problems.error(e.problem);
            Dag nothing = new Dag(new NodeNamespace(session, "", ""), List.of());
            return session.details.nodes(result(nothing, session, List.of()), Map.of());
        }
        Dag dag = new Dag(scope, parts(session, scope));
        return session.details.nodes(result(dag, session, cycle(dag, session)), scope.drafts.nodes());
    }

    private static ParsedDag result(Dag dag, DagSession session, List<String> cycle) {
        ProblemList problems = session.problems;
        return new ParsedDag(dag, problems.errors, problems.warnings, problems.errorCount, cycle);
    }

    private static List<String> cycle(Dag dag, DagSession session) {
        int[] vertices = dag.graph.cycle();
        List<String> names = new ArrayList<>();
        int first = -1;
        for (int vertex : vertices) {
            if (dag.kind(vertex) != NodeKind.JOIN) {
                first = first < 0 ? vertex : first;
                names.add(dag.name(vertex));
            }
        }
        if (first >= 0) {
            session.problems.error(
                    DagProblem.at(
                            new DagNode.Place(dag.definedIn(first), dag.line(first)),
                            "",
                            "Cycle detected: a cycle exists in the dag: " + path(names),
                            "No node of a cycle ever starts; condor_dagman would notice only when nothing else is left to run."));
        }
        return names;
    }

    private static String path(List<String> names) {
        int shown = 12;
        if (names.size() <= shown) {
            return String.join(" -> ", names) + " -> " + names.get(0);
        }
        return String.join(" -> ", names.subList(0, shown)) + " -> ... (" + (names.size() - shown) + " more) -> "
                + names.get(0);
    }

    private static List<DagPart> parts(DagSession session, NodeNamespace scope) {
        List<DagPart> parts = new ArrayList<>(session.parts);
        NodeTable nodes = scope.nodes;
        Set<UsedFile> used = new HashSet<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.isNode(i) && nodes.descriptions.get(i) >= 0 && !nodes.has(i, NodeTable.INLINE)) {
                boolean isSubdag = nodes.kind(i) == NodeKind.SUBDAG;
                if (used.add(new UsedFile(nodes.descriptions.get(i), nodes.directories.get(i), isSubdag))) {
                    parts.add(part(session, scope, i));
                }
            }
        }
        return parts;
    }

    /** A file that nodes name, by the numbers of its name and of their directory. */
    private record UsedFile(int description, int directory, boolean isSubdag) {}

    private static DagPart part(DagSession session, NodeNamespace scope, int node) {
        String name = session.descriptions.text(scope.nodes.descriptions.get(node));
        String directory = session.directories.text(scope.nodes.directories.get(node));
        DagPart.Role role = scope.nodes.kind(node) == NodeKind.SUBDAG ? DagPart.Role.SUBDAG : DagPart.Role.SUBMIT_FILE;
        return new DagPart(
                role,
                session.sources.name(scope.nodes.files.get(node)),
                scope.nodes.lines.get(node),
                scope.nodes.name(node),
                directory,
                name,
                session.resolve(directory, name));
    }
}
