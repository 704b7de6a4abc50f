package org.metasched.dag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The commands that define something: nodes, splices, submit descriptions. */
final class NodeCommands {

    private static final byte[] NESTED = ".condor.sub".getBytes(StandardCharsets.US_ASCII);

    private final CommandReader reader;
    private final DagLexer lexer;

    NodeCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    void execute(DagCommand command) throws IOException {
        switch (command) {
            case SPLICE:
                splice();
                break;
            case SUBMIT_DESCRIPTION:
                submitDescription();
                break;
            case SUBDAG:
                if (!lexer.next() || !lexer.is("EXTERNAL")) {
                    reader.fail("Missing EXTERNAL keyword");
                } else {
                    node(NodeKind.SUBDAG);
                }
                break;
            default:
                node(NodeKind.valueOf(command.name()));
        }
    }

    private boolean node(NodeKind kind) throws IOException {
        if (!lexer.next()) {
            return reader.fail("Missing node name");
        }
        if (!isLegalName()) {
            return false;
        }
        int line = reader.line();
        Scope scope = reader.scope;
        int node = scope.number(lexer.bytes(), lexer.from(), lexer.to());
        String duplicate = scope.isDefined(node) ? duplicate(scope, node) : "";
        if (!lexer.nextUnquoted()) {
            return reader.fail("No submit description provided");
        }
        boolean inline = kind != NodeKind.SUBDAG && isInline();
        int description = -1;
        if (inline) {
            if (!block()) {
                return false;
            }
        } else {
            if (kind != NodeKind.SUBDAG && kind != NodeKind.FINAL && endsWithNested()) {
                reader.fail(
                        "The use of the JOB keyword for nested DAGs is prohibited",
                        "Write SUBDAG EXTERNAL <name> <DAG file>.");
            }
            description = reader.session.descriptions.number(lexer.bytes(), lexer.from(), lexer.to());
        }
        return options(kind, node, description, inline, line, duplicate);
    }

    private boolean options(NodeKind kind, int node, int description, boolean inline, int line, String duplicate) {
        byte flags = inline ? Scope.INLINE : 0;
        int directory = scopeDirectory();
        while (lexer.next()) {
            if (lexer.is("NOOP")) {
                flags |= Scope.NOOP;
            } else if (lexer.is("DONE")) {
                flags |= Scope.DONE;
            } else if (lexer.is("DIR")) {
                if (!lexer.nextUnquoted()) {
                    return reader.fail("No directory path provided for DIR subcommand");
                }
                directory = reader.session.directories.number(DagSession.join(reader.scope.directory, lexer.text()));
            } else {
                return reader.unexpected();
            }
        }
        if (lexer.unclosed()) {
            return reader.fail("");
        }
        if (!duplicate.isEmpty()) {
            return reader.fail(duplicate, "Every node and splice of a DAG needs a name of its own.");
        }
        return define(kind, node, description, directory, flags, line);
    }

    private boolean define(NodeKind kind, int node, int description, int directory, byte flags, int line) {
        Scope scope = reader.scope;
        if (kind == NodeKind.FINAL) {
            if (scope.finalNode >= 0) {
                return reader.fail(
                        "Final node is already defined in the DAG",
                        "The first is " + scope.names.text(scope.finalNode) + ", on line " + scope.line(scope.finalNode)
                                + ".");
            }
            if (!scope.name.isEmpty()) {
                return reader.fail(
                        "Spliced DAGs can not contain a final node", "Move it to the DAG that uses the splice.");
            }
            scope.finalNode = node;
        } else if (kind == NodeKind.PROVISIONER) {
            if (scope.provisioner >= 0) {
                return reader.fail("Provisioner node is already defined in the DAG", "");
            }
            scope.provisioner = node;
        }
        if ((flags & Scope.DONE) != 0 && kind != NodeKind.JOB && kind != NodeKind.SUBDAG) {
            reader.warn(kind + " node " + scope.names.text(node) + " can not be marked as DONE", "");
        }
        reader.session.countNode(reader.file, line);
        scope.define(node, kind, description, directory, reader.file, line);
        scope.flag(node, flags);
        return true;
    }

    private String duplicate(Scope scope, int node) {
        String name = scope.names.text(node);
        return "Node " + name + " is already defined in the DAG"
                + (scope.isSplice(node) ? " (as a splice)" : " (on line " + scope.line(node) + ")");
    }

    private boolean isLegalName() {
        if (lexer.is("PARENT") || lexer.is("CHILD") || lexer.is("ALL-NODES")) {
            return reader.fail(
                    "Node name is a reserved word", "PARENT, CHILD and ALL_NODES, in any case, name no node.");
        }
        for (int i = lexer.from(); i < lexer.to(); i++) {
            if (lexer.bytes()[i] == '+') {
                return reader.fail(
                        "Node name contains illegal charater",
                        "The plus sign stands between the name of a splice and that of its node.");
            }
        }
        return true;
    }

    private int scopeDirectory() {
        String directory = reader.scope.directory;
        return directory.isEmpty() ? 0 : reader.session.directories.number(directory);
    }

    private boolean endsWithNested() {
        int at = lexer.to() - NESTED.length;
        if (at < lexer.from()) {
            return false;
        }
        for (int i = 0; i < NESTED.length; i++) {
            if (lexer.bytes()[at + i] != NESTED[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isInline() {
        byte[] bytes = lexer.bytes();
        return bytes[lexer.from()] == '{'
                || (bytes[lexer.from()] == '@' && lexer.to() - lexer.from() > 1 && bytes[lexer.from() + 1] == '=');
    }

    /** Skips an inline description; the lexer stands behind its closing token then. */
    private boolean block() throws IOException {
        String closing = closing();
        if (closing.isEmpty()) {
            return reader.fail("No inline description closing token specified (@=TOKEN)");
        }
        DagProblem missing = reader.problemHere("Missing inline description closing token: " + closing, "");
        byte[] end = closing.getBytes(StandardCharsets.UTF_8);
        LogicalLines lines = reader.lines();
        while (lines.nextPhysical()) {
            if (isEnd(lines, end)) {
                lexer.reset(lines.bytes(), lines.start() + end.length, lines.end());
                return true;
            }
        }
        reader.session.problems.error(missing);
        return false;
    }

    private static boolean isEnd(LogicalLines lines, byte[] end) {
        int length = lines.end() - lines.start();
        if (length < end.length) {
            return false;
        }
        for (int i = 0; i < end.length; i++) {
            if (lines.bytes()[lines.start() + i] != end[i]) {
                return false;
            }
        }
        return length == end.length || lines.bytes()[lines.start() + end.length] == ' ';
    }

    private String closing() {
        if (lexer.bytes()[lexer.from()] == '{') {
            return "}";
        }
        String tag = lexer.text().substring(2);
        return tag.isEmpty() ? "" : "@" + tag;
    }

    private boolean submitDescription() throws IOException {
        if (!lexer.next()) {
            return reader.fail("No submit description name provided");
        }
        int name = reader.session.descriptions.number(lexer.bytes(), lexer.from(), lexer.to());
        if (!lexer.next() || !isInline()) {
            return reader.fail("No inline description provided");
        }
        if (!block()) {
            return false;
        }
        reader.scope.inlineDescriptions.add(name);
        return true;
    }

    private boolean splice() {
        if (!lexer.next()) {
            return reader.fail("Missing splice name");
        }
        Scope scope = reader.scope;
        int number = scope.number(lexer.bytes(), lexer.from(), lexer.to());
        String name = lexer.text();
        if (!lexer.nextUnquoted()) {
            return reader.fail("Missing DAG file");
        }
        String dagFile = lexer.text();
        String directory = scope.directory;
        if (lexer.next()) {
            if (!lexer.is("DIR")) {
                return reader.unexpected();
            }
            if (!lexer.nextUnquoted()) {
                return reader.fail("No directory path provided for DIR subcommand");
            }
            directory = DagSession.join(directory, lexer.text());
        }
        if (!reader.nothingLeft()) {
            return false;
        }
        if (scope.isDefined(number)) {
            return reader.fail("Splice name " + name + " is already defined in the DAG", "");
        }
        return load(number, name, dagFile, directory);
    }

    private boolean load(int number, String name, String dagFile, String directory) {
        DagSession session = reader.session;
        session.countSplice(reader.file, reader.line());
        Path base = session.resolve(directory, "");
        Path path = session.resolve(directory, dagFile);
        session.parts.add(new DagSession.PartUse(
                DagPart.Role.SPLICE, reader.file, reader.line(), name, directory, dagFile, path));
        String problem = unreadable(name, base, path);
        if (problem == null) {
            Scope splice = new Scope(session, name, directory);
            problem = CommandReader.read(splice, path, DagSession.join(directory, dagFile), reader.depth() + 1);
            if (problem == null) {
                new ScopeResolver(splice).resolve();
                reader.scope.defineSplice(number, splice, reader.file, reader.line());
                return true;
            }
            problem = "Failed to read splice " + name + ": " + problem;
        }
        return reader.fail(problem, "Looked for " + path + ".");
    }

    private @Nullable String unreadable(String name, Path base, Path path) {
        if (reader.session.open.contains(path.toAbsolutePath().normalize())) {
            return "Recursive splicing detected";
        }
        if (reader.depth() >= reader.session.limits.depth()) {
            return "Splices are nested more than " + reader.session.limits.depth() + " deep";
        }
        if (!Files.isDirectory(base)) {
            return "Failed to read splice " + name + ": No such file or directory";
        }
        return null;
    }
}
