package org.metasched.dag;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.metasched.dag.DagNode.Place;
import org.metasched.dag.DagNodes.Family;
import org.metasched.dag.DagNodes.RunnerCommand;

/** Details that a runner needs beside the graph and its nodes; the throttles alone if only the graph is wanted. Not thread-safe. */
final class DagDetails {

    final boolean isKept;
    private final boolean keepsFamilies;
    private final List<RunnerCommand> runnerCommands = new ArrayList<>();
    private final List<Family> families = new ArrayList<>();
    private final Map<String, Integer> throttles = new LinkedHashMap<>();

    /**
     * @param isKept whether to keep the properties of the nodes, and not only the graph
     * @param keepsFamilies whether to keep the dependencies by name too
     */
    DagDetails(boolean isKept, boolean keepsFamilies) {
        this.isKept = isKept;
        this.keepsFamilies = keepsFamilies;
    }

    void addRunnerCommand(String command, String subject, Place place) {
        runnerCommands.add(new RunnerCommand(command, subject, place));
    }

    void throttle(String category, int limit) {
        throttles.put(category, limit);
    }

    /** @param set number of a PARENT line in the scope's {@link ParentChildSets} */
    void family(NodeNamespace scope, int set, boolean isWeak) {
        if (keepsFamilies) {
            families.add(new Family(names(scope, set, true), names(scope, set, false), isWeak));
        }
    }

    private static List<String> names(NodeNamespace scope, int set, boolean asParents) {
        ParentChildSets sets = scope.families;
        return IntStream.range(sets.from(set, asParents), sets.to(set, asParents))
                .mapToObj(at -> scope.fullName(sets.name(at)))
                .toList();
    }

    DagNodes nodes(ParsedDag parsed, Map<String, DagNode> nodes) {
        return new DagNodes(parsed, nodes, runnerCommands, families, throttles);
    }
}
