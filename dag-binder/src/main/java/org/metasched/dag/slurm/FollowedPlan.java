package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.metasched.dag.Dag;
import org.metasched.dag.DagLimits;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.ParsedDag;

/** What a followed run needs to know of a DAG before it begins: its nodes, and the jobs of each. Immutable. */
public final class FollowedPlan {

    private final Path file;
    private final Dag dag;
    private final DagNodes nodes;
    private final Map<String, String> environment;
    private final Map<String, NodeExpander.Expanded> expanded = new HashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final List<String> warnings;

    private FollowedPlan(
            Path file, Dag dag, DagNodes nodes, Map<String, String> environment, Instant now, Complaints complaints)
            throws IOException, UnsupportedBySlurmException {
        this.file = file;
        this.dag = dag;
        this.nodes = nodes;
        this.environment = new LinkedHashMap<>(environment);
        GraphRules.checkFollowed(nodes, complaints);
        complaints.throwIfAny();
        var expander = new NodeExpander(top(), environment, now, complaints);
        int number = 0;
        for (DagNode node : nodes.all()) {
            number++;
            String safe = node.name().replaceAll("[^A-Za-z0-9_+-]", "_");
            keys.put(
                    node.name(),
                    String.format(Locale.ROOT, "%06d-", number) + safe.substring(0, Math.min(40, safe.length())));
            if (!node.isNoop()) {
                expanded.put(node.name(), expander.expand(node, number, List.of()));
            }
        }
        complaints.throwIfAny();
        this.warnings = complaints.warnings();
    }

    /**
     * Settles how a DAG is run.
     *
     * @param dagFile a DAG that {@code dag bind} has bound
     * @param environment of the DAG at its site, for its scripts and for {@code getenv}
     * @param without names of commands to do without
     * @param now for macros about the time
     * @throws UnsupportedBySlurmException if it asks for what Slurm cannot do, or would not run at all
     */
    public static FollowedPlan of(Path dagFile, Map<String, String> environment, Set<String> without, Instant now)
            throws IOException, UnsupportedBySlurmException {
        Path file = dagFile.toAbsolutePath().normalize();
        ParsedDag parsed = new DagParser().parse(file);
        if (!parsed.isSound()) {
            throw new UnsupportedBySlurmException(parsed.errors());
        }
        return new FollowedPlan(
                file, parsed.dag(), DagNodes.read(file, DagLimits.DEFAULT), environment, now, new Complaints(without));
    }

    Path file() {
        return file;
    }

    /** The directory of the bound DAG. */
    public Path top() {
        return Objects.requireNonNull(file.getParent(), "an absolute file has a directory");
    }

    Dag dag() {
        return dag;
    }

    DagNodes nodes() {
        return nodes;
    }

    Map<String, String> environment() {
        return environment;
    }

    /** What the user chose to do without. */
    public List<String> warnings() {
        return warnings;
    }

    List<NodeJob> jobs(String node) {
        NodeExpander.Expanded found = expanded.get(node);
        return found == null ? List.of() : found.jobs();
    }

    List<String> options(String node) {
        NodeExpander.Expanded found = expanded.get(node);
        return found == null ? List.of() : found.options();
    }

    String key(String node) {
        return keys.getOrDefault(node, node);
    }
}
