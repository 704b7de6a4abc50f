package org.metasched.dag;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.metasched.dag.DagNode.Abort;
import org.metasched.dag.DagNode.Place;
import org.metasched.dag.DagNode.Retry;
import org.metasched.dag.DagNode.Script;
import org.metasched.dag.DagNode.Tolerance;
import org.metasched.dag.DagNode.Variable;

/**
 * The nodes of one scope while it is read. Commands may name nodes before they are defined, so changes of nodes are applied when the
 * scope ends. Keeps nothing if only the graph is wanted. Not thread-safe.
 */
final class NodeDrafts {

    /** The properties of a defined node, to which the changes are applied. */
    static final class Draft {
        private final Place place;
        /** The submit description that the DAG file has in place of a file name. */
        private final Optional<String> inline;

        Optional<Script> pre = Optional.empty();
        Optional<Script> post = Optional.empty();
        final Map<String, Variable> variables = new LinkedHashMap<>();
        Retry retry = Retry.NONE;
        OptionalInt preSkip = OptionalInt.empty();
        Optional<Abort> abort = Optional.empty();
        Optional<Tolerance> tolerance = Optional.empty();
        int priority;
        String category = "";

        private Draft(Place place, Optional<String> inline) {
            this.place = place;
            this.inline = inline;
        }

        /** @param type PRE, POST or HOLD; a HOLD script is not kept */
        void script(String type, Script script) {
            if (type.equals("PRE")) {
                pre = Optional.of(deferredAs(pre, script));
            } else if (type.equals("POST")) {
                post = Optional.of(deferredAs(post, script));
            }
        }

        /** A script without DEFER keeps the DEFER of the script that it replaces. */
        private static Script deferredAs(Optional<Script> before, Script script) {
            return new Script(script.words(), script.place(), script.defer().or(() -> before.flatMap(Script::defer)));
        }

        private DagNode.Rules rules() {
            return new DagNode.Rules(retry, preSkip, abort, tolerance, priority, category);
        }
    }

    /** A change of the node of a number, or of all jobs and nested DAGs. */
    private record Change(int node, Consumer<Draft> effect) {}

    private final DagSession session;
    private final NodeTable table;
    private final String prefix;
    private final boolean isKept;
    private final Map<Integer, Draft> drafts = new LinkedHashMap<>();
    /** Nodes by full name, in the order of the files; those of a splice stand where the splice does. Each is empty until the scope ends. */
    private final Map<String, Optional<DagNode>> nodes = new LinkedHashMap<>();

    /** The texts of SUBMIT-DESCRIPTION, by the number of their name. */
    private final Map<Integer, String> descriptions = new HashMap<>();

    /** The names of descriptions by their numbers, so that nodes share the text of a name. */
    private final Map<Integer, String> descriptionNames = new HashMap<>();

    private final List<Change> changes = new ArrayList<>();

    /** @param prefix prefix of the nodes' names in the whole DAG */
    NodeDrafts(DagSession session, NodeTable table, String prefix) {
        this.session = session;
        this.table = table;
        this.prefix = prefix;
        this.isKept = session.details.isKept;
    }

    /** @param text the inline description, if the node has one */
    void define(int node, Place place, String text) {
        if (isKept) {
            boolean isInline = table.descriptions.get(node) < 0;
            drafts.put(node, new Draft(place, isInline ? Optional.of(text) : Optional.empty()));
            nodes.put(prefix + table.name(node), Optional.empty());
        }
    }

    /** Adds the text of a SUBMIT-DESCRIPTION under the number of its name. */
    void describe(int name, String text) {
        if (isKept) {
            descriptions.put(name, text);
        }
    }

    /** @param node number of a node, or {@link NodeNamespace#ALL_NODES} */
    void change(int node, Consumer<Draft> effect) {
        if (isKept) {
            changes.add(new Change(node, effect));
        }
    }

    /** Takes over the nodes of a splice. */
    void addAll(NodeDrafts splice) {
        nodes.putAll(splice.nodes);
    }

    /** Applies the changes, and makes the nodes. */
    void finish() {
        for (Change change : changes) {
            if (change.node == NodeNamespace.ALL_NODES) {
                drafts.forEach((node, draft) -> {
                    if (table.isJobOrDag(node)) {
                        change.effect.accept(draft);
                    }
                });
            } else if (drafts.containsKey(change.node)) {
                change.effect.accept(drafts.get(change.node));
            }
        }
        changes.clear();
        // Removes each draft as soon as its node is made: a million of both would not fit into memory.
        for (var each = drafts.entrySet().iterator(); each.hasNext(); each.remove()) {
            var draft = each.next();
            String name = prefix + table.name(draft.getKey());
            nodes.put(name, Optional.of(node(name, draft.getKey(), draft.getValue())));
        }
    }

    private DagNode node(String name, int node, Draft draft) {
        int description = table.descriptions.get(node);
        return new DagNode(
                name,
                table.kind(node),
                draft.place,
                session.directories.text(table.directories.get(node)),
                description < 0 ? "" : descriptionNames.computeIfAbsent(description, session.descriptions::text),
                draft.inline.or(() -> Optional.ofNullable(descriptions.get(description))),
                table.has(node, NodeTable.NOOP),
                table.has(node, NodeTable.DONE),
                draft.pre,
                draft.post,
                List.copyOf(draft.variables.values()),
                draft.rules());
    }

    /** Moves the nodes out, by full name in the order of the files; a copy of a million would be large. Call it once: it leaves none. */
    Map<String, DagNode> nodes() {
        Map<String, DagNode> complete = new LinkedHashMap<>();
        for (var each = nodes.entrySet().iterator(); each.hasNext(); each.remove()) {
            var node = each.next();
            node.getValue().ifPresent(finished -> complete.put(node.getKey(), finished));
        }
        return complete;
    }
}
