package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.metasched.dag.DagNode.Abort;
import org.metasched.dag.DagNode.Defer;
import org.metasched.dag.DagNode.Retry;
import org.metasched.dag.DagNode.Tolerance;
import org.metasched.dag.DagNode.Variable;
import org.metasched.dag.NodeNamespace.PendingCommand;

/** Commands about nodes that are defined elsewhere: scripts, retries, variables and so on. */
final class ModifierCommands {

    private final CommandReader reader;
    private final DagLexer lexer;

    ModifierCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    /** Reads the name of a node; returns its number, or {@link NodeNamespace#ALL_NODES}. */
    private int node() throws RefusedCommandException {
        reader.requireWord("No node name specified");
        return reference();
    }

    /** The number of the node that the current token names. Unless it is a job already, it is checked at the end of the scope. */
    private int reference() throws RefusedCommandException {
        DagCommand command = reader.command();
        int number = NodeNamespace.ALL_NODES;
        if (!lexer.is("ALL-NODES")) {
            number = reader.internName();
        } else if (command == DagCommand.DONE) {
            throw reader.refused("ALL_NODES can not be used with DONE command");
        } else if (command == DagCommand.SAVE_POINT_FILE) {
            throw reader.refused("ALL_NODES cannot be used for save point file command");
        }
        if (number == NodeNamespace.ALL_NODES || !reader.scope.nodes.isJob(number)) {
            reader.scope.pending.add(new PendingCommand(reader.file, reader.line(), reader.column(), command, number));
        }
        return number;
    }

    private NodeDrafts drafts() {
        return reader.scope.drafts;
    }

    void script() throws RefusedCommandException {
        List<String> options = new ArrayList<>(0);
        Optional<Defer> defer = Optional.empty();
        while (!readScriptType()) {
            options.add(lexer.text().toUpperCase(Locale.ROOT));
            if (lexer.is("DEFER")) {
                int status = reader.number("DEFER missing status value", "Invalid DEFER status value '%s'");
                int seconds = reader.number("DEFER missing time value", "Invalid DEFER time value '%s'");
                defer = Optional.of(new Defer(status, seconds));
            } else {
                debug();
            }
        }
        String type = lexer.text().toUpperCase(Locale.ROOT);
        int node = node();
        reader.session.settings.hasScripts = true;
        String script = lexer.rest();
        reader.refuseIf(script.isEmpty(), "No script specified");
        if (type.equals("HOLD")) {
            reader.addHelper(script.split("\\s", 2)[0]);
            options.add(type);
        }
        if (reader.session.details.isKept) {
            String subject = node == NodeNamespace.ALL_NODES ? "ALL_NODES" : reader.scope.fullName(node);
            options.forEach(option -> reader.keepForRunner("SCRIPT " + option, subject));
            var run = new DagNode.Script(List.of(script.split("[ \\t\\r]+")), reader.place(), defer);
            drafts().change(node, draft -> draft.script(type, run));
        }
    }

    /** Reads a word; returns whether it is the type of a script, or else DEFER or DEBUG. */
    private boolean readScriptType() throws RefusedCommandException {
        String missing = "Missing script type (PRE, POST, HOLD) and optional sub-commands (DEFER, DEBUG)";
        reader.requireWord(missing);
        if (lexer.is("DEFER") || lexer.is("DEBUG")) {
            return false;
        }
        if (lexer.is("PRE") || lexer.is("POST") || lexer.is("HOLD")) {
            return true;
        }
        throw reader.refused(missing);
    }

    private void debug() throws RefusedCommandException {
        reader.requireWord("DEBUG missing filename");
        reader.requireWord("DEBUG missing output stream type (STDOUT, STDERR, ALL)");
        if (!lexer.is("STDOUT") && !lexer.is("STDERR") && !lexer.is("ALL")) {
            throw reader.refused("Unknown DEBUG output stream type '" + lexer.text() + "'");
        }
    }

    void retry() throws RefusedCommandException {
        int node = node();
        int times = reader.number(
                "Missing max retry value",
                "Invalid max retry value '%s' (Must be positive integer)",
                0,
                Integer.MAX_VALUE);
        OptionalInt unless = OptionalInt.empty();
        if (readOption("UNLESS-EXIT")) {
            unless = OptionalInt.of(
                    reader.number("UNLESS-EXIT missing exit code", "Invalid UNLESS-EXIT code '%s' specified"));
        }
        reader.requireEnd();
        Retry retry = new Retry(times, unless);
        drafts().change(node, draft -> draft.retry = retry);
    }

    void abortDagOn() throws RefusedCommandException {
        int node = node();
        int status = reader.number("Missing exit status to abort on", "Invalid exit status '%s' specified");
        OptionalInt code = OptionalInt.empty();
        if (readOption("RETURN")) {
            code = OptionalInt.of(reader.number(
                    "RETURN is missing value", "Invalid RETURN code '%s' (Must be between 0 and 255)", 0, 255));
        }
        reader.requireEnd();
        Optional<Abort> abort = Optional.of(new Abort(status, code));
        drafts().change(node, draft -> draft.abort = abort);
    }

    /** Reads the rest of the line: false if it is empty, true if it begins with the option; anything else is refused. */
    private boolean readOption(String keyword) throws RefusedCommandException {
        if (!lexer.next()) {
            return false;
        }
        if (!lexer.is(keyword)) {
            throw reader.unexpected();
        }
        return true;
    }

    void priority() throws RefusedCommandException {
        int node = node();
        int priority = reader.number("Missing priority value", "Invalid priority value '%s'");
        reader.requireEnd();
        drafts().change(node, draft -> draft.priority = priority);
    }

    void done() throws RefusedCommandException {
        int node = node();
        reader.requireEnd();
        reader.scope.nodes.flag(node, NodeTable.DONE);
    }

    void preSkip() throws RefusedCommandException {
        int node = node();
        int code = reader.number("Missing exit code", "Invalid exit code '%s'");
        if (code < 0 || code > 255) {
            throw reader.refused("PRE_SKIP exit code must be between 0 and 255", "It is '" + lexer.text() + "' here.");
        }
        if (code == 0) {
            reader.warn(
                    "Exit code 0 for PRE_SKIP is weird",
                    "Maybe another code was meant: the node is skipped whenever its PRE script succeeds.");
        }
        reader.requireEnd();
        drafts().change(node, draft -> draft.preSkip = OptionalInt.of(code));
    }

    void tolerance() throws RefusedCommandException {
        int node = node();
        reader.requireWord("Missing failure tolerance value");
        reader.refuseIf(lexer.bytes()[lexer.from] == '%', "Empty percentage specified for failure tolerance");
        boolean isPercentage = lexer.text().endsWith("%");
        boolean isWaiting = false;
        int amount = reader.integer("Invalid tolerance value '%s'", "", 0, Integer.MAX_VALUE);
        while (lexer.next()) {
            if (!lexer.is("%") && !lexer.is("FAIL-FAST") && !lexer.is("WAIT")) {
                throw reader.unexpected();
            }
            isPercentage |= lexer.is("%");
            isWaiting |= lexer.is("WAIT");
        }
        reader.requireClosedQuotes();
        var tolerance = Optional.of(new Tolerance(amount, isPercentage, isWaiting));
        drafts().change(node, draft -> draft.tolerance = tolerance);
    }

    /** Reads one or more nodes, then the category, which is the last word. */
    void category() throws RefusedCommandException {
        IntList nodes = new IntList(2);
        nodes.add(node());
        reader.requireWord("No category name specified");
        while (!lexer.atEnd()) {
            nodes.add(reference());
            reader.requireWord(""); // It fails on an open quote only, which error() names.
        }
        String category = reader.scope.categoryName(lexer.text());
        reader.scope.categories.use(category);
        for (int i = 0; i < nodes.size(); i++) {
            drafts().change(nodes.get(i), draft -> draft.category = category);
        }
    }

    void savePoint() throws RefusedCommandException {
        node();
        lexer.nextUnquoted(); // The name of the file is optional.
        reader.requireEnd();
    }

    void variables() throws RefusedCommandException {
        int node = node();
        VariableReader variables = new VariableReader(reader);
        reader.refuseIf(lexer.atEnd(), "No key=value pairs specified");
        while (!lexer.atEnd()) {
            Variable variable = variables.next();
            drafts().change(node, draft -> draft.variables.put(variable.name(), variable));
        }
    }
}
