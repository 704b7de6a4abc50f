package org.metasched.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.metasched.dag.DagNode.Place;

/** Reads the commands of one DAG file into a scope; a class for each family of commands does the work. */
final class CommandReader {

    final DagSession session;
    final NodeNamespace scope;
    final DagLexer lexer = new DagLexer();
    /** The number of the file among the {@linkplain DagSession#sources sources}. */
    final int file;

    final LogicalLines lines;
    /** The number of files that include or splice this one. */
    final int depth;

    /** The command that problems name: PARENT for {@code WEAK PARENT}. JOB stands here only until the first command is read. */
    private DagCommand command = DagCommand.JOB;

    private CommandReader(NodeNamespace scope, int file, LogicalLines lines, int depth) {
        this.session = scope.session;
        this.scope = scope;
        this.file = file;
        this.lines = lines;
        this.depth = depth;
    }

    /**
     * Reads a file.
     *
     * @param depth number of files that include or splice this one
     * @return reason for which the file cannot be read; null if it was read
     */
    static @Nullable String read(NodeNamespace scope, Path path, String displayName, int depth) {
        return read(scope, path, displayName, depth, -1, 0);
    }

    /** Reads the file that the current command includes into the same scope; returns the reason if it cannot, else null. */
    @Nullable
    String include(Path path, String displayName) {
        return read(scope, path, displayName, depth + 1, file, line());
    }

    private static @Nullable String read(
            NodeNamespace scope, Path path, String displayName, int depth, int includer, int includeLine) {
        DagSession session = scope.session;
        Path key = path.toAbsolutePath().normalize();
        if (!session.open.add(key)) {
            throw new IllegalStateException("The file (" + key + ") is being read already.");
        }
        try (LogicalLines lines = new LogicalLines(Files.newInputStream(path), session.limits.lineBytes(), false)) {
            new CommandReader(scope, session.sources.add(displayName, includer, includeLine), lines, depth).readAll();
            return null;
        } catch (NoSuchFileException e) {
            return "Provided file path does not exist";
        } catch (PhysicalLines.LineTooLongException e) {
            return e.getMessage();
        } catch (IOException e) {
            return "The file cannot be read: " + e.getMessage();
        } finally {
            session.open.remove(key);
        }
    }

    private void readAll() throws IOException {
        while (lines.next()) {
            lexer.reset(lines.bytes, lines.start, lines.end);
            if (lexer.next()) {
                readCommand();
            } else if (lexer.unclosed) {
                session.problems.error(problem("", DagLexer.UNCLOSED, ""));
            }
        }
        if (lines.endedInContinuation()) {
            session.problems.warning(DagProblem.at(
                    place(),
                    "",
                    "The last line ends with a backslash",
                    "Maybe a line is missing: condor ignores this command."));
        }
    }

    private void readCommand() throws IOException {
        DagCommand keyword = DagCommand.of(lexer.bytes(), lexer.from, lexer.to);
        if (keyword == null) {
            String word = lexer.text();
            if (word.indexOf('\0') >= 0) {
                throw new IOException("it is UTF-16, or no text; UTF-8 is expected");
            }
            session.problems.error(problem("", "'" + word + "' is not a valid DAG command", DagCommand.hint(word)));
            return;
        }
        command = keyword == DagCommand.WEAK ? DagCommand.PARENT : keyword;
        // The command's subject is the rest of the line, nothing, or the first word. Then the lexer goes back, as the
        // command is read from its first word.
        if (keyword.isForRunner && session.details.isKept) {
            int afterKeyword = lexer.position();
            boolean takesRest = keyword == DagCommand.NODE_STATUS_FILE;
            String word = !takesRest && keyword != DagCommand.WEAK && lexer.nextUnquoted() ? lexer.text() : "";
            word = keyword == DagCommand.CONFIG ? DagSession.join(scope.directory, word) : word;
            keepForRunner(keyword.name(), takesRest ? lexer.rest() : word);
            lexer.reset(lines.bytes, afterKeyword, lines.end);
        }
        try {
            read(keyword);
        } catch (RefusedCommandException e) {
            // The problem is in the list; the next command may have others.
        }
    }

    /** Reads the rest of a command, checks it, and adds it to the graph and its nodes. */
    private void read(DagCommand keyword) throws IOException, RefusedCommandException {
        switch (keyword) {
            case JOB -> new NodeCommands(this).node(NodeKind.JOB);
            case SUBDAG -> new NodeCommands(this).subdag();
            case FINAL -> new NodeCommands(this).node(NodeKind.FINAL);
            case PROVISIONER -> new NodeCommands(this).node(NodeKind.PROVISIONER);
            case SERVICE -> new NodeCommands(this).node(NodeKind.SERVICE);
            case SPLICE -> new NodeCommands(this).splice();
            case SUBMIT_DESCRIPTION -> new NodeCommands(this).submitDescription();
            case PARENT -> new GraphCommands(this).dependencies(false);
            case WEAK -> new GraphCommands(this).dependencies(true);
            case SCRIPT -> new ModifierCommands(this).script();
            case RETRY -> new ModifierCommands(this).retry();
            case ABORT_DAG_ON -> new ModifierCommands(this).abortDagOn();
            case VARS -> new ModifierCommands(this).variables();
            case PRIORITY -> new ModifierCommands(this).priority();
            case PRE_SKIP -> new ModifierCommands(this).preSkip();
            case TOLERANCE -> new ModifierCommands(this).tolerance();
            case DONE -> new ModifierCommands(this).done();
            case CATEGORY -> new ModifierCommands(this).category();
            case MAXJOBS -> new GlobalCommands(this).throttle();
            case CONFIG -> new GlobalCommands(this).configuration();
            case INCLUDE -> new GlobalCommands(this).include();
            case DOT -> new GlobalCommands(this).dot();
            case NODE_STATUS_FILE -> new GlobalCommands(this).nodeStatusFile();
            case JOBSTATE_LOG -> new GlobalCommands(this).jobStateLog();
            case SAVE_POINT_FILE -> new ModifierCommands(this).savePoint();
            case SET_JOB_ATTR -> new GlobalCommands(this).jobAttribute();
            case ENV -> new GlobalCommands(this).environment();
            case REJECT -> new GlobalCommands(this).reject();
            case CONNECT -> new GraphCommands(this).connect();
            case PIN_IN -> new GraphCommands(this).pin(false);
            case PIN_OUT -> new GraphCommands(this).pin(true);
        }
    }

    /** Notes a command that the program that runs the DAG has to know. */
    void keepForRunner(String keyword, String subject) {
        session.details.addRunnerCommand(keyword, subject, place());
    }

    int line() {
        return lines.line;
    }

    Place place() {
        return new Place(session.sources.name(file), line());
    }

    DagCommand command() {
        return command;
    }

    /** The number of the current token as a name; a new name is added to the scope. */
    int internName() {
        return scope.nodes.intern(lexer.bytes(), lexer.from, lexer.to);
    }

    /** Goes to the next token; without one the command is refused with the reason {@code missing}. */
    void requireWord(String missing) throws RefusedCommandException {
        if (!lexer.next()) {
            throw refused(missing);
        }
    }

    /** Goes to the next token, the name of a file, and returns it; {@code missing} is the error without one. */
    String fileName(String missing) throws RefusedCommandException {
        if (!lexer.nextUnquoted()) {
            throw refused(missing);
        }
        return lexer.text();
    }

    /** Goes to the next token, and returns its value; see {@link #requireWord} and {@link #integer}. */
    int number(String missing, String invalid) throws RefusedCommandException {
        return number(missing, invalid, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    int number(String missing, String invalid, int least, int most) throws RefusedCommandException {
        requireWord(missing);
        return integer(invalid, "", least, most);
    }

    /** The value of the current token; outside [least, most], the command is refused. {@code invalid} is a format for the token. */
    int integer(String invalid, String hint, int least, int most) throws RefusedCommandException {
        long value = lexer.integer();
        if (value < least || value > most) {
            throw refused(String.format(Locale.ROOT, invalid, lexer.text()), hint);
        }
        return (int) value;
    }

    /** Reports an error about the current token; the caller throws the result. */
    RefusedCommandException refused(String reason) {
        return refused(reason, "");
    }

    /** @param hint a likely cause or remedy; if empty, the form of the command is shown */
    RefusedCommandException refused(String reason, String hint) {
        error(reason, hint);
        return RefusedCommandException.REPORTED;
    }

    /** Refuses the command if {@code wrong}; the reason is a format for the values. */
    void refuseIf(boolean wrong, String reason, Object... values) throws RefusedCommandException {
        if (wrong) {
            throw refused(String.format(Locale.ROOT, reason, values));
        }
    }

    RefusedCommandException unexpected() {
        return refused("Unexpected token '" + lexer.text() + "'");
    }

    /** Reports an error about the current token; the command is read on. */
    void error(String reason, String hint) {
        String complaint = lexer.unclosed ? DagLexer.UNCLOSED : reason;
        String help = lexer.unclosed
                ? "A quote (\" or ') must close on the same line; inside, \\\" stands for a quote."
                : hint;
        session.problems.error(
                problem(command.name(), complaint, help.isEmpty() ? "The form is: " + command.syntax : help));
    }

    /** Refuses the command if anything is left on the line. */
    void requireEnd() throws RefusedCommandException {
        if (lexer.next()) {
            throw unexpected();
        }
        requireClosedQuotes();
    }

    /** Refuses the command if a quote on the line does not close. */
    void requireClosedQuotes() throws RefusedCommandException {
        if (lexer.unclosed) {
            throw refused(""); // error() says that a quote is open
        }
    }

    void warn(String reason, String hint) {
        session.problems.warning(problem(command.name(), reason, hint));
    }

    /** The column of the current token; 0 if it is not on the first line of its command, which is the line that condor names. */
    int column() {
        int offset = lexer.offset;
        return lines.lineAt(offset) == lines.line ? Math.max(lines.columnAt(offset), 0) : 0;
    }

    /** A problem at the current token, for an error or a warning. */
    DagProblem problem(String keyword, String reason, String hint) {
        return new DagProblem(session.sources.name(file), line(), column(), keyword, reason, hint);
    }

    /** Notes a further file of the DAG, which the current command names. */
    void addPart(DagPart.Role role, String node, String directory, String name, Path path) {
        session.parts.add(new DagPart(role, session.sources.name(file), line(), node, directory, name, path));
    }

    /** Notes a file that must be there when the DAG runs and that no node names. */
    void addHelper(String name) {
        session.addSetting(session.settings.helperFiles, DagSession.join(scope.directory, name), file, line());
    }
}
