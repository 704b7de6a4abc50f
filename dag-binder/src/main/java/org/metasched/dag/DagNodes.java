package org.metasched.dag;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of a DAG with all properties that the DAG files give them, for the program that runs them. {@link Dag} keeps little but the
 * graph, so that a million nodes fit into memory. Immutable.
 *
 * @param parsed the graph and the problems of the DAG; if it is not sound, nodes may be missing
 * @param nodes nodes by name, in the order of the files; those of a splice in the splice's place. Not copied: the caller must not change it
 * @param runnerCommands commands that a runner must honour or refuse; some are in {@code nodes} too
 * @param families the dependencies in the order of the files; none if they were not asked for
 * @param throttles number of nodes of a category that may have jobs at once; 0 or less for any number
 */
public record DagNodes(
        ParsedDag parsed,
        Map<String, DagNode> nodes,
        List<RunnerCommand> runnerCommands,
        List<Family> families,
        Map<String, Integer> throttles) {

    /**
     * A command of a DAG file that changes how the DAG runs, such as MAXJOBS, or what its graph means, such as WEAK.
     *
     * @param command keyword with its kind, as in {@code SCRIPT HOLD}
     * @param subject the node or category that the command is about; empty if it is the DAG
     */
    public record RunnerCommand(String command, String subject, DagNode.Place place) {}

    /** {@code [WEAK] PARENT ... CHILD ...}, with the names of nodes or splices. */
    public record Family(List<String> parents, List<String> children, boolean isWeak) {
        public Family {
            parents = List.copyOf(parents);
            children = List.copyOf(children);
        }
    }

    public DagNodes {
        nodes = Collections.unmodifiableMap(nodes);
        runnerCommands = List.copyOf(runnerCommands);
        families = List.copyOf(families);
        throttles = Map.copyOf(throttles);
    }

    public List<DagNode> all() {
        return List.copyOf(nodes.values());
    }

    public Optional<DagNode> find(String name) {
        return Optional.ofNullable(nodes.get(name));
    }
}
