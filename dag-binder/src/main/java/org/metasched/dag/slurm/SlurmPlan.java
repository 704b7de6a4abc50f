package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.dag.Dag;
import org.metasched.dag.DagLimits;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.NodeKind;
import org.metasched.dag.ParsedDag;

/**
 * A bound DAG as Slurm jobs, parents before children; nothing is written or submitted yet. Immutable.
 *
 * @param dag the DAG file, absolute
 * @param nodes vertices in an order in which they can be submitted
 * @param nodeCount nodes of the DAG, joins not counted
 * @param done names of nodes that need not run, by the DAG or by its newest rescue file
 * @param rescue that file
 * @param warnings what the user chose to do without
 */
public record SlurmPlan(
        Path dag,
        List<PlannedNode> nodes,
        int nodeCount,
        Set<String> done,
        Optional<Path> rescue,
        List<String> warnings) {

    public SlurmPlan {
        nodes = List.copyOf(nodes);
        done = Collections.unmodifiableSet(done);
        warnings = List.copyOf(warnings);
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
    public static SlurmPlan of(Path dagFile, Map<String, String> environment, Set<String> without, Instant now)
            throws IOException, UnsupportedBySlurmException {
        Path file = dagFile.toAbsolutePath().normalize();
        ParsedDag parsed = new DagParser().parse(file);
        if (!parsed.isSound()) {
            throw new UnsupportedBySlurmException(parsed.errors());
        }
        Complaints complaints = new Complaints(without);
        DagNodes nodes = DagNodes.read(file, DagLimits.DEFAULT);
        GraphRules.check(nodes, complaints);
        complaints.throwIfAny();
        Optional<Path> rescue = RescueFile.newest(file);
        Set<String> done = new HashSet<>();
        nodes.all().stream().filter(DagNode::isDone).map(DagNode::name).forEach(done::add);
        if (rescue.isPresent()) {
            done.addAll(rescued(rescue.get(), nodes));
        }
        List<PlannedNode> planned = new Planner(file, parsed.dag(), nodes, done, environment, now, complaints).plan();
        complaints.throwIfAny();
        return new SlurmPlan(file, planned, parsed.dag().nodeCount(), done, rescue, complaints.warnings());
    }

    /** The directory of the bound DAG. */
    public Path top() {
        return java.util.Objects.requireNonNull(dag.getParent(), "an absolute file has a directory");
    }

    /** How many nodes are to run. */
    public int running() {
        return (int) nodes.stream().filter(PlannedNode::runs).count();
    }

    private static Set<String> rescued(Path rescue, DagNodes nodes) throws IOException {
        Set<String> done = RescueFile.doneNodes(rescue);
        for (String name : done) {
            if (nodes.find(name).isEmpty()) {
                throw new IOException("The rescue file (" + rescue + ") says that the node (" + name
                        + ") is done, but the DAG has no such node.\nMaybe it is that of another DAG of this name.");
            }
        }
        return done;
    }

    /** One planning. */
    private static final class Planner {
        private final Path top;
        private final Dag dag;
        private final DagNodes nodes;
        private final Set<String> done;
        private final Map<String, String> environment;
        private final Complaints complaints;
        private final NodeExpander expander;
        private final List<List<Integer>> parents = new ArrayList<>();

        Planner(
                Path file,
                Dag dag,
                DagNodes nodes,
                Set<String> done,
                Map<String, String> environment,
                Instant now,
                Complaints complaints) {
            this.top = java.util.Objects.requireNonNull(file.getParent(), "an absolute file has a directory");
            this.dag = dag;
            this.nodes = nodes;
            this.done = done;
            this.environment = new LinkedHashMap<>(environment);
            this.complaints = complaints;
            this.expander = new NodeExpander(top, environment, now, complaints);
        }

        List<PlannedNode> plan() throws IOException {
            int[] order = order();
            int[] places = new int[order.length];
            for (int place = 0; place < order.length; place++) {
                places[order[place]] = place;
            }
            List<PlannedNode> planned = new ArrayList<>();
            for (int place = 0; place < order.length; place++) {
                List<Integer> before =
                        parents.get(order[place]).stream().map(v -> places[v]).toList();
                planned.add(planned(order[place], place, before));
            }
            return planned;
        }

        /** Vertices in topological order, in that of their numbers where they are free. */
        private int[] order() {
            int count = dag.vertexCount();
            int[] open = new int[count];
            for (int v = 0; v < count; v++) {
                parents.add(new ArrayList<>());
            }
            for (int v = 0; v < count; v++) {
                int parent = v;
                dag.children(v).forEach(child -> {
                    open[child]++;
                    parents.get(child).add(parent);
                });
            }
            ArrayDeque<Integer> ready = new ArrayDeque<>();
            for (int v = 0; v < count; v++) {
                if (open[v] == 0) {
                    ready.add(v);
                }
            }
            int[] order = new int[count];
            int at = 0;
            while (!ready.isEmpty()) {
                int vertex = ready.remove();
                order[at++] = vertex;
                dag.children(vertex).forEach(child -> {
                    if (--open[child] == 0) {
                        ready.add(child);
                    }
                });
            }
            return order;
        }

        private PlannedNode planned(int vertex, int place, List<Integer> before) throws IOException {
            if (dag.kind(vertex) == NodeKind.JOIN) {
                return new PlannedNode("", "join-" + place, List.of(), "", before);
            }
            String name = dag.name(vertex);
            String key = key(place, name);
            DagNode node = nodes.find(name)
                    .orElseThrow(() -> new IllegalStateException("The node (" + name + ") was read only once."));
            if (done.contains(name)) {
                return new PlannedNode(name, key, List.of(), "", before);
            }
            List<String> names = parents.get(vertex).stream()
                    .filter(parent -> dag.kind(parent) != NodeKind.JOIN)
                    .map(dag::name)
                    .toList();
            NodeExpander.Expanded expanded = node.isNoop()
                    ? new NodeExpander.Expanded(List.of(), List.of())
                    : expander.expand(node, place + 1, names);
            try {
                String script = new WrapperScript(top, node, key, expanded.jobs(), environment).text();
                return new PlannedNode(name, key, expanded.options(), script, before);
            } catch (IllegalArgumentException e) {
                complaints.refuse(node.place(), "JOB", e.getMessage() + " (node " + name + ")", "");
                return new PlannedNode(name, key, List.of(), "", before);
            }
        }

        /** A file name that no shell and no pattern of Slurm's takes for anything else. */
        private static String key(int place, String name) {
            String safe = name.replaceAll("[^A-Za-z0-9_.+-]", "_");
            return String.format(Locale.ROOT, "%06d-", place + 1) + safe.substring(0, Math.min(40, safe.length()));
        }
    }
}
