package org.metasched.dag;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.metasched.dag.DagNode.Defer;
import org.metasched.dag.DagNode.Place;
import org.metasched.dag.DagNode.Retry;
import org.metasched.dag.DagNode.Script;
import org.metasched.dag.DagNode.Variable;

/**
 * The nodes of one scope in the making, with what each runs. Nodes may be named before they are defined, so what is said of them is
 * applied when the scope ends. Keeps nothing if only the graph is wanted. Not thread-safe.
 */
final class NodeDrafts {

    /** What is said of a node that is defined. */
    static final class Draft {
        private final DagNode defined;
        boolean isDone;
        Optional<Script> pre = Optional.empty();
        Optional<Script> post = Optional.empty();
        Retry retry = Retry.NONE;
        OptionalInt preSkip = OptionalInt.empty();
        final Map<String, Variable> variables = new LinkedHashMap<>();
        DagNode.Rules rules = DagNode.Rules.NONE;

        private Draft(DagNode defined) {
            this.defined = defined;
            this.isDone = defined.isDone();
        }
    }

    /** An effect on a node, by its number, or on all jobs. */
    private record Saying(int node, Consumer<Draft> effect) {}

    private final Scope scope;
    private final boolean isKept;
    private final Map<Integer, Draft> drafts = new LinkedHashMap<>();
    /** By full name, in the order of the files; those of a splice stand where the splice does. */
    private final Map<String, DagNode> nodes = new LinkedHashMap<>();

    private final Map<Integer, String> descriptions = new HashMap<>();
    private final List<Saying> sayings = new ArrayList<>();

    NodeDrafts(Scope scope) {
        this.scope = scope;
        this.isKept = scope.session.details.isKept();
    }

    /** @param text of a description that stands in the command */
    void define(int node, Place place, String text) {
        if (!isKept) {
            return;
        }
        int description = scope.nodes.description(node);
        DagNode defined = new DagNode(
                scope.fullName(node),
                scope.nodes.kind(node),
                place,
                scope.session.directories.text(scope.nodes.directory(node)),
                description < 0 ? "" : scope.session.descriptions.text(description),
                description < 0 ? Optional.of(text) : Optional.empty(),
                scope.nodes.has(node, NodeTable.NOOP),
                scope.nodes.has(node, NodeTable.DONE));
        drafts.put(node, new Draft(defined));
        nodes.put(defined.name(), defined);
    }

    /** A description that stands in the DAG file under a name, given as its number. */
    void describe(int name, String text) {
        descriptions.put(name, text);
    }

    void say(int node, Consumer<Draft> effect) {
        if (isKept) {
            sayings.add(new Saying(node, effect));
        }
    }

    /** @param type PRE, POST or HOLD; of the last one no node knows */
    void say(int node, String type, Script script, Optional<Defer> defer) {
        boolean isPre = type.equals("PRE");
        if (isPre || type.equals("POST")) {
            say(node, draft -> {
                draft.pre = isPre ? Optional.of(script) : draft.pre;
                draft.post = isPre ? draft.post : Optional.of(script);
                draft.rules = defer.isEmpty() ? draft.rules : draft.rules.withDefer(isPre, defer);
            });
        }
    }

    /** Takes over the nodes of a splice. */
    void addAll(NodeDrafts splice) {
        nodes.putAll(splice.nodes);
    }

    /** Applies what was said. */
    void finish() {
        for (Saying saying : sayings) {
            if (saying.node == Scope.ALL_NODES) {
                drafts.forEach((node, draft) -> {
                    if (scope.nodes.isJob(node)) {
                        saying.effect.accept(draft);
                    }
                });
            } else if (drafts.containsKey(saying.node)) {
                saying.effect.accept(drafts.get(saying.node));
            }
        }
        drafts.forEach((node, draft) -> {
            Optional<String> inline = Optional.ofNullable(descriptions.get(scope.nodes.description(node)));
            nodes.put(draft.defined.name(), draft.defined.with(draft, inline));
        });
    }

    Map<String, DagNode> nodes() {
        return nodes;
    }
}
