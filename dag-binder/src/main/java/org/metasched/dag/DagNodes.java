package org.metasched.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of a DAG with what the files say of each, for whoever runs it. {@link Dag} has the graph and keeps little else, so
 * that a million nodes fit; this keeps everything. Immutable.
 */
public final class DagNodes {

    /**
     * A command that is about how condor_dagman runs the DAG, or that changes the meaning of the graph.
     *
     * @param command with its kind, as in {@code SCRIPT HOLD}
     * @param subject the node or category it is about; empty if about the DAG
     */
    public record Remark(String command, String subject, DagNode.Place place) {}

    /** {@code [WEAK] PARENT ... CHILD ...}, with the names of nodes or splices. */
    public record Family(List<String> parents, List<String> children, boolean isWeak) {
        public Family {
            parents = List.copyOf(parents);
            children = List.copyOf(children);
        }
    }

    private final ParsedDag parsed;
    private final List<Family> families;
    private final Map<String, Integer> throttles;
    private final Map<String, DagNode> nodes;
    private final List<Remark> remarks;

    DagNodes(
            ParsedDag parsed,
            Map<String, DagNode> nodes,
            List<Remark> remarks,
            List<Family> families,
            Map<String, Integer> throttles) {
        this.parsed = parsed;
        this.families = List.copyOf(families);
        this.throttles = Map.copyOf(throttles);
        this.nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
        this.remarks = List.copyOf(remarks);
    }

    /**
     * Reads a DAG, like {@link DagParser} and with the same errors.
     *
     * @throws IOException if the file itself cannot be read
     */
    public static DagNodes read(Path file, DagLimits limits) throws IOException {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return read(file, parent == null ? Path.of("/") : parent, limits);
    }

    /** @param directory from which the names in the DAG count */
    public static DagNodes read(Path file, Path directory, DagLimits limits) throws IOException {
        return new DagParser(limits).read(file, directory, true);
    }

    /** The graph, and what is wrong with the DAG; of one that is not sound nodes may be missing. */
    public ParsedDag parsed() {
        return parsed;
    }

    /** In the order of the files, those of a splice where the splice stands. */
    public List<DagNode> all() {
        return List.copyOf(nodes.values());
    }

    public Optional<DagNode> find(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** The dependencies in the order of the files. */
    public List<Family> families() {
        return families;
    }

    /** How many nodes of a category may have jobs at once; 0 or less: any number. */
    public Map<String, Integer> throttles() {
        return throttles;
    }

    /** The commands that say more than which nodes there are, what they run and how often. */
    public List<Remark> remarks() {
        return remarks;
    }
}
