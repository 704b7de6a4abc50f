package org.metasched.dag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.metasched.dag.DagNode.Place;
import org.metasched.dag.DagNode.Retry;
import org.metasched.dag.DagNode.Script;
import org.metasched.dag.DagNode.Variable;

/**
 * Reads a DAG a second time, for what its nodes run. Relies on the first reading: what is no legal command there cannot turn up here.
 * Within a file nodes may be named before they are defined, so what is said of them is applied at its end. Not thread-safe.
 */
final class DagNodeReader {

    /** A node in the making. */
    private static final class Draft {
        final NodeKind kind;
        final Place place;
        final String directory;
        final String description;
        Optional<String> inline;
        boolean noop;
        boolean done;
        Optional<Script> pre = Optional.empty();
        Optional<Script> post = Optional.empty();
        Retry retry = Retry.NONE;
        OptionalInt preSkip = OptionalInt.empty();
        final Map<String, Variable> variables = new LinkedHashMap<>();
        DagNode.Rules rules = DagNode.Rules.NONE;

        Draft(NodeKind kind, Place place, String directory, String description, Optional<String> inline) {
            this.kind = kind;
            this.place = place;
            this.directory = directory;
            this.description = description;
            this.inline = inline;
        }

        DagNode node(String name) {
            return new DagNode(
                    name,
                    kind,
                    place,
                    directory,
                    description,
                    inline,
                    noop,
                    done,
                    pre,
                    post,
                    retry,
                    preSkip,
                    List.copyOf(variables.values()),
                    rules);
        }
    }

    /** Something said of a node by name; {@code ALL_NODES} if the name is empty. */
    private record Saying(String node, java.util.function.Consumer<Draft> effect) {}

    private final Path root;
    private final DagLimits limits;
    private final String prefix;
    private final String directory;
    private final List<DagNodes.Remark> remarks;
    private final RuleReader rules;
    /** Nodes of this file and its includes, by their names here. */
    private final Map<String, Draft> own = new LinkedHashMap<>();
    /** Those, and the ones of splices. */
    private final Map<String, Draft> drafts = new LinkedHashMap<>();

    private final Map<String, String> descriptions = new LinkedHashMap<>();
    private final List<Saying> sayings = new ArrayList<>();

    private DagNodeReader(
            Path root,
            DagLimits limits,
            String prefix,
            String directory,
            List<DagNodes.Remark> remarks,
            RuleReader rulesOf) {
        this.root = root;
        this.limits = limits;
        this.prefix = prefix;
        this.directory = directory;
        this.remarks = remarks;
        this.rules = rulesOf;
    }

    static DagNodes read(Path file, String display, Path root, DagLimits limits) throws IOException {
        List<DagNodes.Remark> remarks = new ArrayList<>();
        DagNodeReader reader = new DagNodeReader(root, limits, "", "", remarks, new RuleReader());
        reader.file(file, display, 0);
        reader.settle();
        Map<String, DagNode> nodes = new LinkedHashMap<>();
        reader.drafts.forEach((name, draft) -> nodes.put(name, draft.node(name)));
        return new DagNodes(nodes, remarks, reader.rules.families, reader.rules.throttles);
    }

    private void settle() {
        own.values().forEach(draft -> {
            if (draft.inline.isEmpty()) {
                draft.inline = Optional.ofNullable(descriptions.get(draft.description));
            }
        });
        for (Saying saying : sayings) {
            if (saying.node().isEmpty()) {
                own.values().stream()
                        .filter(draft -> draft.kind == NodeKind.JOB)
                        .forEach(saying.effect());
            } else if (drafts.containsKey(saying.node())) {
                saying.effect().accept(drafts.get(saying.node()));
            }
        }
    }

    private void file(Path path, String display, int depth) throws IOException {
        if (depth > limits.depth()) {
            throw new IOException("The files of the DAG are nested more than " + limits.depth() + " deep.");
        }
        try (LogicalLines lines = new LogicalLines(Files.newInputStream(path), limits.lineBytes())) {
            DagLexer lexer = new DagLexer();
            while (lines.next()) {
                lexer.reset(lines.bytes(), lines.start(), lines.end());
                if (lexer.next()) {
                    DagCommand command = DagCommand.of(lexer.bytes(), lexer.from(), lexer.to());
                    if (command != null) {
                        execute(command, lexer, lines, new Place(display, lines.line()), depth);
                    }
                }
            }
        }
    }

    private void execute(DagCommand command, DagLexer lexer, LogicalLines lines, Place place, int depth)
            throws IOException {
        switch (command) {
            case JOB, FINAL, PROVISIONER, SERVICE -> node(NodeKind.valueOf(command.name()), lexer, lines, place);
            case SUBDAG -> {
                lexer.next();
                node(NodeKind.SUBDAG, lexer, lines, place);
            }
            case SPLICE -> splice(lexer, depth);
            case SUBMIT_DESCRIPTION -> {
                String name = word(lexer);
                lexer.next();
                descriptions.put(name, block(lexer, lines));
            }
            case INCLUDE -> {
                lexer.nextUnquoted();
                String name = lexer.text();
                file(resolve(directory, name), DagSession.join(directory, name), depth + 1);
            }
            case SCRIPT -> script(lexer, place);
            case RETRY -> retry(lexer);
            case VARS -> vars(lexer);
            case PRE_SKIP -> {
                String node = named(lexer);
                lexer.next();
                int code = lexer.integer();
                sayings.add(new Saying(node, draft -> draft.preSkip = OptionalInt.of(code)));
            }
            case DONE -> sayings.add(new Saying(named(lexer), draft -> draft.done = true));
            case PARENT -> rules.family(prefix, lexer, false);
            case WEAK -> {
                remarks.add(new DagNodes.Remark(command.name(), word(lexer), place));
                rules.family(prefix, lexer, true);
            }
            case ABORT_DAG_ON, TOLERANCE, PRIORITY, CATEGORY, MAXJOBS -> {
                List<String> words = RuleReader.words(lexer);
                remarks.add(new DagNodes.Remark(command.name(), words.isEmpty() ? "" : words.get(0), place));
                rules.rule(command, words)
                        .forEach((node, change) ->
                                sayings.add(new Saying(node, draft -> draft.rules = change.apply(draft.rules))));
            }
            case CONNECT, PIN_IN, PIN_OUT, ENV, REJECT -> {
                // The graph has them, and the DAG as a whole.
            }
            default -> remarks.add(new DagNodes.Remark(command.name(), word(lexer), place));
        }
    }

    private static String word(DagLexer lexer) {
        return lexer.next() ? lexer.text() : "";
    }

    /** A name of a node as a saying has it. */
    private static String named(DagLexer lexer) {
        lexer.next();
        return lexer.is("ALL-NODES") ? "" : lexer.text();
    }

    private Path resolve(String from, String name) {
        return root.resolve(from).resolve(name);
    }

    private void node(NodeKind kind, DagLexer lexer, LogicalLines lines, Place place) throws IOException {
        String name = word(lexer);
        lexer.nextUnquoted();
        boolean isInline = kind != NodeKind.SUBDAG
                && (lexer.text().startsWith("{") || lexer.text().startsWith("@="));
        String description = isInline ? "" : lexer.text();
        Optional<String> inline = isInline ? Optional.of(block(lexer, lines)) : Optional.empty();
        boolean noop = false;
        boolean done = false;
        String where = directory;
        while (lexer.next()) {
            noop |= lexer.is("NOOP");
            done |= lexer.is("DONE");
            if (lexer.is("DIR")) {
                lexer.nextUnquoted();
                where = DagSession.join(directory, lexer.text());
            }
        }
        Draft draft = new Draft(kind, place, where, description, inline);
        draft.noop = noop;
        draft.done = done;
        own.put(name, draft);
        drafts.put(name, draft);
        if (drafts.size() > limits.nodes()) {
            throw new IOException("The DAG has more than " + limits.nodes() + " nodes.");
        }
    }

    /** The text of a description up to its closing token, behind which the lexer stands then. */
    private static String block(DagLexer lexer, LogicalLines lines) throws IOException {
        String opening = lexer.text();
        String closing = opening.startsWith("{") ? "}" : "@" + opening.substring(2);
        byte[] end = closing.getBytes(StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder();
        while (lines.nextPhysical()) {
            String line = new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8);
            if (line.equals(closing) || line.startsWith(closing + " ")) {
                lexer.reset(lines.bytes(), lines.start() + end.length, lines.end());
                return text.toString();
            }
            if (!lines.skipped()) {
                text.append(line).append('\n');
            }
        }
        throw new IOException("A submit description has no end (" + closing + ").");
    }

    private void splice(DagLexer lexer, int depth) throws IOException {
        String name = word(lexer);
        lexer.nextUnquoted();
        String file = lexer.text();
        String where = directory;
        if (lexer.next() && lexer.is("DIR")) {
            lexer.nextUnquoted();
            where = DagSession.join(directory, lexer.text());
        }
        DagNodeReader inner = new DagNodeReader(root, limits, prefix + name + "+", where, remarks, rules);
        inner.file(resolve(where, file), DagSession.join(where, file), depth + 1);
        inner.settle();
        inner.drafts.forEach((node, draft) -> drafts.put(name + "+" + node, draft));
    }

    private void script(DagLexer lexer, Place place) {
        String phase = "";
        List<String> extras = new ArrayList<>();
        Optional<DagNode.Defer> defer = Optional.empty();
        while (phase.isEmpty() && lexer.next()) {
            if (lexer.is("DEFER") || lexer.is("DEBUG")) {
                boolean isDefer = lexer.is("DEFER");
                extras.add(lexer.text().toUpperCase(java.util.Locale.ROOT));
                String first = word(lexer);
                String second = word(lexer);
                defer = isDefer ? RuleReader.defer(first, second) : defer;
            } else {
                phase = lexer.text().toUpperCase(java.util.Locale.ROOT);
            }
        }
        String node = named(lexer);
        String subject = node.isEmpty() ? "ALL_NODES" : prefix + node;
        extras.forEach(extra -> remarks.add(new DagNodes.Remark("SCRIPT " + extra, subject, place)));
        Script script = new Script(List.of(lexer.rest().split("[ \\t\\r]+")), place);
        RuleReader.deferred(phase, defer)
                .ifPresent(change -> sayings.add(new Saying(node, draft -> draft.rules = change.apply(draft.rules))));
        switch (phase) {
            case "PRE" -> sayings.add(new Saying(node, draft -> draft.pre = Optional.of(script)));
            case "POST" -> sayings.add(new Saying(node, draft -> draft.post = Optional.of(script)));
            default -> remarks.add(new DagNodes.Remark("SCRIPT " + phase, subject, place));
        }
    }

    private void retry(DagLexer lexer) {
        String node = named(lexer);
        lexer.next();
        int times = lexer.integer();
        OptionalInt unless = OptionalInt.empty();
        if (lexer.next()) {
            lexer.next();
            unless = OptionalInt.of(lexer.integer());
        }
        Retry retry = new Retry(times, unless);
        sayings.add(new Saying(node, draft -> draft.retry = retry));
    }

    private void vars(DagLexer lexer) {
        String node = named(lexer);
        // The reader of pairs passes over the word that says where they count as written.
        boolean append = lexer.startsWithWord("APPEND");
        VarsReader reader = new VarsReader(lexer, false);
        for (VarsReader.@Nullable Pair pair = reader.next(); pair != null; pair = reader.next()) {
            Variable variable = new Variable(pair.key(), pair.value(), append);
            sayings.add(new Saying(node, draft -> draft.variables.put(variable.name(), variable)));
        }
    }
}
