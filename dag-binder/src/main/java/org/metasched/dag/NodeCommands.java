package org.metasched.dag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Commands that define something: nodes, splices, submit descriptions. */
final class NodeCommands {

    private static final byte[] NESTED_DAG_SUFFIX = ".condor.sub".getBytes(StandardCharsets.US_ASCII);

    private final CommandReader reader;
    private final DagLexer lexer;

    NodeCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    void subdag() throws IOException, RefusedCommandException {
        reader.refuseIf(!lexer.next() || !lexer.is("EXTERNAL"), "Missing EXTERNAL keyword");
        node(NodeKind.SUBDAG);
    }

    void node(NodeKind kind) throws IOException, RefusedCommandException {
        reader.requireWord("Missing node name");
        checkName();
        DagNode.Place place = reader.place();
        NodeNamespace scope = reader.scope;
        int node = reader.internName();
        String duplicate = scope.nodes.isDefined(node) ? duplicate(node) : "";
        reader.refuseIf(!lexer.nextUnquoted(), "No submit description provided");
        boolean inline =
                kind != NodeKind.SUBDAG && !lexer.closingOfDescription().isEmpty();
        String text = inline ? inlineDescription() : "";
        int description = inline ? -1 : description(kind);
        Options options = options();
        if (!duplicate.isEmpty()) {
            throw reader.refused(duplicate, "Every node and splice of a DAG needs a name of its own.");
        }
        checkOnlyOne(kind);
        if (options.isDone() && kind != NodeKind.JOB && kind != NodeKind.SUBDAG) {
            reader.warn(kind + " node " + scope.nodes.name(node) + " can not be marked as DONE", "");
        }
        reader.session.countNode(reader.file, place.line());
        scope.nodes.define(node, kind, description, options.directory(), reader.file, place.line());
        scope.nodes.flag(node, (byte) (options.flags() | (inline ? NodeTable.INLINE : 0)));
        scope.drafts.define(node, place, text);
    }

    /** The number of the file that describes a node. */
    private int description(NodeKind kind) {
        if (kind != NodeKind.SUBDAG && kind != NodeKind.FINAL && endsWithNestedDagSuffix()) {
            reader.error(
                    "The use of the JOB keyword for nested DAGs is prohibited",
                    "Write SUBDAG EXTERNAL <name> <DAG file>.");
        }
        return reader.session.descriptions.intern(lexer.bytes(), lexer.from, lexer.to);
    }

    /** Options behind the description of a node. */
    private record Options(int directory, byte flags) {
        boolean isDone() {
            return (flags & NodeTable.DONE) != 0;
        }
    }

    private Options options() throws RefusedCommandException {
        String scopeDirectory = reader.scope.directory;
        int directory = scopeDirectory.isEmpty() ? 0 : reader.session.directories.intern(scopeDirectory);
        byte flags = 0;
        while (lexer.next()) {
            if (lexer.is("NOOP")) {
                flags |= NodeTable.NOOP;
            } else if (lexer.is("DONE")) {
                flags |= NodeTable.DONE;
            } else {
                directory = reader.session.directories.intern(directory());
            }
        }
        reader.requireClosedQuotes();
        return new Options(directory, flags);
    }

    private void checkOnlyOne(NodeKind kind) throws RefusedCommandException {
        NodeTable nodes = reader.scope.nodes;
        int first = nodes.first(kind);
        if (kind == NodeKind.FINAL && first >= 0) {
            throw reader.refused(
                    "Final node is already defined in the DAG",
                    "The first is " + nodes.name(first) + ", in " + reader.session.sources.name(nodes.files.get(first))
                            + ":" + nodes.lines.get(first) + ".");
        }
        if (kind == NodeKind.FINAL && !reader.scope.prefix.isEmpty()) {
            throw reader.refused(
                    "Spliced DAGs can not contain a final node", "Move it to the DAG that uses the splice.");
        }
        reader.refuseIf(kind == NodeKind.PROVISIONER && first >= 0, "Provisioner node is already defined in the DAG");
    }

    /** The error for a name that has a node or splice already. */
    private String duplicate(int node) {
        NodeTable nodes = reader.scope.nodes;
        return "Node " + nodes.name(node) + " is already defined in the DAG"
                + (nodes.isSplice(node) ? " (as a splice)" : " (on line " + nodes.lines.get(node) + ")");
    }

    private void checkName() throws RefusedCommandException {
        if (lexer.is("PARENT") || lexer.is("CHILD") || lexer.is("ALL-NODES")) {
            throw reader.refused(
                    "Node name is a reserved word", "PARENT, CHILD and ALL_NODES, ignoring case, name no node.");
        }
        for (int i = lexer.from; i < lexer.to; i++) {
            if (lexer.bytes()[i] == '+') {
                throw reader.refused(
                        "Node name contains illegal charater", // condor's spelling
                        "The plus sign stands between the name of a splice and that of its node.");
            }
        }
    }

    /** Reads {@code DIR <directory>}, whose keyword is the current token; returns the directory relative to the DAG's. */
    private String directory() throws RefusedCommandException {
        if (!lexer.is("DIR")) {
            throw reader.unexpected();
        }
        return DagSession.join(
                reader.scope.directory, reader.fileName("No directory path provided for DIR subcommand"));
    }

    private boolean endsWithNestedDagSuffix() {
        return lexer.to - lexer.from >= NESTED_DAG_SUFFIX.length
                && LogicalLines.startsWith(lexer.bytes(), lexer.to - NESTED_DAG_SUFFIX.length, NESTED_DAG_SUFFIX);
    }

    /** Reads an inline description, and goes behind its closing token; returns the text, empty unless nodes are kept. */
    private String inlineDescription() throws IOException, RefusedCommandException {
        String closing = lexer.closingOfDescription();
        reader.session.settings.hasInlineDescriptions = true;
        reader.refuseIf(closing.equals("@"), "No inline description closing token specified (@=TOKEN)");
        DagProblem missing =
                reader.problem(reader.command().name(), "Missing inline description closing token: " + closing, "");
        byte[] end = closing.getBytes(StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder();
        LogicalLines lines = reader.lines;
        while (lines.nextPhysical()) {
            if (lines.isEndOfDescription(end)) {
                lexer.reset(lines.bytes, lines.start + end.length, lines.end);
                return text.toString();
            }
            if (reader.session.details.isKept && !lines.isSkipped()) {
                text.append(lines.text()).append('\n');
            }
        }
        reader.session.problems.error(missing);
        throw RefusedCommandException.REPORTED;
    }

    void submitDescription() throws IOException, RefusedCommandException {
        reader.requireWord("No submit description name provided");
        int name = reader.session.descriptions.intern(lexer.bytes(), lexer.from, lexer.to);
        reader.refuseIf(!lexer.next() || lexer.closingOfDescription().isEmpty(), "No inline description provided");
        reader.scope.drafts.describe(name, inlineDescription());
        reader.scope.nodes.describeInline(name);
    }

    void splice() throws RefusedCommandException {
        reader.requireWord("Missing splice name");
        NodeNamespace scope = reader.scope;
        int number = reader.internName();
        String name = lexer.text();
        String dagFile = reader.fileName("Missing DAG file");
        String directory = lexer.next() ? directory() : scope.directory;
        reader.requireEnd();
        reader.refuseIf(scope.nodes.isDefined(number), "Splice name %s is already defined in the DAG", name);
        DagSession session = reader.session;
        session.countSplice(reader.file, reader.line());
        Path path = session.resolve(directory, dagFile);
        reader.addPart(DagPart.Role.SPLICE, name, directory, dagFile, path);
        String problem = unreadable(name, session.resolve(directory, ""), path);
        if (problem == null) {
            NodeNamespace splice = new NodeNamespace(session, scope.prefix + name + "+", directory);
            problem = CommandReader.read(splice, path, DagSession.join(directory, dagFile), reader.depth + 1);
            if (problem == null) {
                new ScopeResolver(splice).resolve();
                scope.defineSplice(number, splice, reader.file, reader.line());
                return;
            }
            problem = "Failed to read splice " + name + ": " + problem;
        }
        throw reader.refused(problem, "Looked for " + path + ".");
    }

    /** The reason for which a splice cannot be read, or null. */
    private @Nullable String unreadable(String name, Path base, Path path) {
        if (reader.session.open.contains(path.toAbsolutePath().normalize())) {
            return "Recursive splicing detected";
        }
        if (reader.depth >= reader.session.limits.depth()) {
            return "Splices are nested more than " + reader.session.limits.depth() + " deep";
        }
        return Files.isDirectory(base) ? null : "Failed to read splice " + name + ": No such file or directory";
    }
}
