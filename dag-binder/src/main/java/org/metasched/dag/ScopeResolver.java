package org.metasched.dag;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.text.NearestKey;
import org.metasched.dag.NodeNamespace.PendingCommand;

/**
 * Resolves the names of a scope once all its files are read. Takes over the nodes of its splices, checks names that were used before
 * they were defined, and turns PARENT lines into edges. Several parents of several children get a join node between them, so that
 * m times n dependencies cost m plus n edges.
 */
final class ScopeResolver {

    /** Pins with higher numbers are not kept. */
    private static final int MAX_PINS = 1_000_000;

    private static final int MAX_NAMES_WITH_HINT = 200_000;
    private static final int MAX_NAMES_SHOWN = 50;

    /**
     * A splice.
     *
     * @param initial its first nodes, by their numbers in this scope
     * @param terminal its last nodes, likewise
     * @param numbers for each name of the splice its number in this scope, -1 if it is no node
     * @param scope its own scope
     */
    private record Adopted(int[] initial, int[] terminal, int[] numbers, NodeNamespace scope) {}

    private final NodeNamespace scope;
    private final DagSession session;
    private final Map<Integer, Adopted> adopted = new HashMap<>();

    ScopeResolver(NodeNamespace scope) {
        this.scope = scope;
        this.session = scope.session;
    }

    /** Resolves the scope; its splices must be resolved already. */
    void resolve() {
        scope.nodes.markInlineDescriptions();
        scope.drafts.finish();
        for (Map.Entry<Integer, NodeNamespace> splice : scope.splices.entrySet()) {
            adopted.put(splice.getKey(), adopt(splice.getKey(), splice.getValue()));
        }
        checkPending();
        // A category may have its nodes in another scope, so there is no warning if the DAG has splices.
        if (session.spliceCount == 0) {
            scope.categories.check(session.problems);
        }
        resolveFamilies();
        new PinResolver(scope, this).resolve();
        scope.splices.clear();
    }

    private Adopted adopt(int number, NodeNamespace splice) {
        byte[] prefix = (scope.nodes.name(number) + "+").getBytes(StandardCharsets.UTF_8);
        int[] numbers = new int[splice.nodes.size()];
        for (int inner = 0; inner < splice.nodes.size(); inner++) {
            numbers[inner] = -1;
            if (splice.nodes.isNode(inner)) {
                numbers[inner] = scope.nodes.adopt(splice.nodes, prefix, inner);
            }
        }
        scope.edges.addAll(splice.edges, numbers);
        scope.pinEdges.addAll(splice.pinEdges, numbers);
        return new Adopted(ends(splice, numbers, true), ends(splice, numbers, false), numbers, splice);
    }

    /** The nodes of a splice without parents, or without children. */
    private static int[] ends(NodeNamespace splice, int[] numbers, boolean isInitial) {
        boolean[] connected = new boolean[splice.nodes.size()];
        for (DependencyEdges edges : List.of(splice.edges, splice.pinEdges)) {
            for (int edge = 0; edge < edges.size(); edge++) {
                connected[isInitial ? edges.child(edge) : edges.parent(edge)] = true;
            }
        }
        return IntStream.range(0, connected.length)
                .filter(inner -> !connected[inner] && numbers[inner] >= 0)
                .map(inner -> numbers[inner])
                .toArray();
    }

    private void checkPending() {
        for (PendingCommand pending : scope.pending) {
            int name = pending.name();
            if (name == NodeNamespace.ALL_NODES) {
                checkAllNodes(pending);
            } else if (!scope.isUsable(name, pending.file(), pending.line())) {
                pendingProblem(pending, undefined(pending.command(), name), hint(name));
            } else {
                String reason = complaint(pending.command(), name);
                if (!reason.isEmpty()) {
                    pendingProblem(pending, reason, remedy(name));
                }
            }
        }
    }

    private void checkAllNodes(PendingCommand pending) {
        if (!scope.nodes.hasNodesOfItsOwn()) {
            pendingProblem(
                    pending,
                    "References undefined node ALL_NODES",
                    "There is no JOB here for it to stand for. Write the command into the files of the splices.");
        }
    }

    private void pendingProblem(PendingCommand pending, String reason, String hint) {
        session.error(
                pending.file(),
                pending.line(),
                pending.column(),
                pending.command().name(),
                reason,
                hint);
    }

    private String undefined(DagCommand command, int name) {
        return (command == DagCommand.CATEGORY ? "References to undefined nodes: " : "References undefined node ")
                + scope.nodes.name(name);
    }

    /** The reason for which a command may not be about a name that is defined; empty if it may. */
    private String complaint(DagCommand command, int name) {
        String text = scope.nodes.name(name);
        if (scope.nodes.isSplice(name)) {
            return command == DagCommand.CATEGORY ? undefined(command, name) : "Cannot be applied to splice " + text;
        }
        if (scope.nodes.has(name, NodeTable.ADOPTED)) {
            return unreachable(text);
        }
        NodeKind kind = scope.nodes.kind(name);
        String node = kind + " node " + text;
        return switch (command) {
            case RETRY -> kind.hasDependencies() ? "" : node + " can not have a retry specification";
            case PRIORITY -> kind.hasDependencies() ? "" : node + " can not have a priority";
            case CATEGORY -> kind.hasDependencies() ? "" : node + " can not be added to a category";
            case SAVE_POINT_FILE -> kind.hasDependencies() ? "" : "Save file can not be applied to " + node;
            case ABORT_DAG_ON -> kind != NodeKind.FINAL ? "" : node + " can not have an ABORT-DAG-ON specification";
            default -> "";
        };
    }

    private static String unreachable(String name) {
        return "Cannot reach node " + name + " inside a splice";
    }

    private String remedy(int name) {
        boolean inSplice = scope.nodes.isSplice(name) || scope.nodes.has(name, NodeTable.ADOPTED);
        return inSplice ? "Write the command into the file of the splice (condor_dagman crashes on it here)." : "";
    }

    /** A hint about an undefined name: the file that defines it too late, or a defined name like it; may be empty. */
    String hint(int name) {
        if (scope.nodes.isDefined(name)) {
            return "It is defined in " + session.sources.name(scope.nodes.files.get(name))
                    + ", which is included only further down; condor_dagman reads an included file where its INCLUDE stands.";
        }
        if (!session.problems.worthAHint() || scope.nodes.size() > MAX_NAMES_WITH_HINT) {
            return "";
        }
        NodeTable nodes = scope.nodes;
        List<String> defined = IntStream.range(0, nodes.size())
                .filter(i -> nodes.isSplice(i) || nodes.isNode(i) && nodes.kind(i) != NodeKind.JOIN)
                .mapToObj(nodes::name)
                .toList();
        String text = scope.nodes.name(name);
        return defined.stream()
                .filter(other -> other.equalsIgnoreCase(text))
                .findFirst()
                .or(() -> NearestKey.of(text, defined))
                .map(other -> "Maybe you meant " + other + "; names of nodes are case-sensitive.")
                .orElse("");
    }

    private void resolveFamilies() {
        ParentChildSets families = scope.families;
        IntList parents = new IntList();
        IntList children = new IntList();
        for (int family = 0; families.has(family); family = families.next(family)) {
            boolean sound = collect(family, true, parents);
            sound &= collect(family, false, children);
            if (!sound) {
                reportUndefined(family);
            }
            connect(parents, children, scope.edges);
        }
        scope.families.clear();
    }

    /** Connects all parents with all children, over a join node if there are several of both. */
    void connect(IntList parents, IntList children, DependencyEdges edges) {
        if (parents.size() > 1 && children.size() > 1) {
            IntList join = new IntList(1);
            join.add(scope.nodes.addJoin());
            connect(parents, join, edges);
            connect(join, children, edges);
            return;
        }
        for (int p = 0; p < parents.size(); p++) {
            for (int c = 0; c < children.size(); c++) {
                edges.add(parents.get(p), children.get(c));
            }
        }
    }

    /** Collects the nodes of one side of a family; returns whether all its names are usable. */
    private boolean collect(int family, boolean asParents, IntList into) {
        ParentChildSets families = scope.families;
        into.setSize(0);
        boolean defined = true;
        int to = families.to(family, asParents);
        for (int at = families.from(family, asParents); at < to; at++) {
            int name = families.name(at);
            if (!scope.isUsable(name, families.file(family), families.line(family))) {
                defined = false;
            } else if (scope.nodes.isSplice(name)) {
                Adopted splice = adopted.get(name);
                for (int end : splice == null ? new int[0] : asParents ? splice.terminal : splice.initial) {
                    addIfMayHaveEdges(family, end, name, into);
                }
            } else {
                addIfMayHaveEdges(family, name, name, into);
            }
        }
        return defined;
    }

    private void addIfMayHaveEdges(int family, int node, int named, IntList into) {
        NodeKind kind = scope.nodes.kind(node);
        if (node == named && scope.nodes.has(node, NodeTable.ADOPTED)) {
            familyProblem(
                    family,
                    unreachable(scope.nodes.name(node)),
                    "Name the splice: as a parent it stands for its last nodes, as a child for its first ones.");
        } else if (kind.hasDependencies()) {
            into.add(node);
        } else {
            String reason = kind + " node " + scope.nodes.name(named) + " can not have dependencies";
            familyProblem(family, reason, "Its place is before, beside or after the graph.");
        }
    }

    private void reportUndefined(int family) {
        List<Integer> parents = undefined(family, true);
        List<Integer> children = undefined(family, false);
        List<Integer> named = parents.isEmpty() ? children : parents;
        familyProblem(
                family,
                "References to undefined nodes:" + listed(" Parents [", parents) + listed(" Children [", children),
                hint(named.get(named.size() - 1)));
    }

    private List<Integer> undefined(int family, boolean asParents) {
        ParentChildSets families = scope.families;
        return IntStream.range(families.from(family, asParents), families.to(family, asParents))
                .map(families::name)
                .filter(name -> !scope.isUsable(name, families.file(family), families.line(family)))
                .boxed()
                .toList();
    }

    private String listed(String title, List<Integer> names) {
        String shown =
                names.stream().limit(MAX_NAMES_SHOWN).map(scope.nodes::name).collect(Collectors.joining(","));
        String more = names.size() > MAX_NAMES_SHOWN ? ",... " + names.size() + " in all" : "";
        return names.isEmpty() ? "" : title + shown + more + "]";
    }

    private void familyProblem(int family, String reason, String hint) {
        session.error(scope.families.file(family), scope.families.line(family), 1, "PARENT", reason, hint);
    }

    /** The nodes of a splice with a pin, as numbers of this scope, by pin; empty if there is no such splice. */
    Optional<List<IntList>> pins(int splice, boolean isOutgoing) {
        Adopted inside = adopted.get(splice);
        if (inside == null) {
            return Optional.empty();
        }
        List<IntList> byNumber = new ArrayList<>();
        for (SplicePins.Pin pin : inside.scope.pins.pins) {
            int node = inside.numbers[pin.node()];
            if (isOutgoing == pin.isOutgoing() && node >= 0) {
                int index = pin.number() - 1;
                while (byNumber.size() <= index && index < MAX_PINS) {
                    byNumber.add(new IntList(2));
                }
                if (index < byNumber.size()) {
                    byNumber.get(index).add(node);
                }
            }
        }
        return Optional.of(byNumber);
    }

    int[] initialNodes(int splice) {
        Adopted inside = adopted.get(splice);
        return inside == null ? new int[0] : inside.initial;
    }
}
