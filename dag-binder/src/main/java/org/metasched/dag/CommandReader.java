package org.metasched.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the commands of one DAG file, and of what it includes, into a scope. The families of commands have a class each. */
final class CommandReader {

    final DagSession session;
    final Scope scope;
    final DagLexer lexer = new DagLexer();
    final int file;
    private final LogicalLines lines;
    private final int depth;
    private final NodeCommands nodeCommands = new NodeCommands(this);
    private final ModifierCommands modifierCommands = new ModifierCommands(this);
    private final GraphCommands graphCommands = new GraphCommands(this);
    private final GlobalCommands globalCommands = new GlobalCommands(this);
    private DagCommand command = DagCommand.JOB;

    private CommandReader(Scope scope, int file, LogicalLines lines, int depth) {
        this.session = scope.session;
        this.scope = scope;
        this.file = file;
        this.lines = lines;
        this.depth = depth;
    }

    /**
     * Reads a file.
     *
     * @return null, or why it cannot be read
     */
    static @Nullable String read(Scope scope, Path path, String displayName, int depth) {
        return read(scope, path, displayName, depth, -1, 0);
    }

    /** Reads a file into the scope of this one, which includes it with its current command. */
    @Nullable
    String include(Path path, String displayName) {
        return read(scope, path, displayName, depth + 1, file, line());
    }

    private static @Nullable String read(
            Scope scope, Path path, String displayName, int depth, int includer, int includeLine) {
        DagSession session = scope.session;
        Path key = path.toAbsolutePath().normalize();
        if (!session.open.add(key)) {
            throw new IllegalStateException("The file (" + key + ") is being read already.");
        }
        try (LogicalLines lines = new LogicalLines(Files.newInputStream(path), session.limits.lineBytes())) {
            new CommandReader(scope, session.file(displayName, includer, includeLine), lines, depth).readAll();
            return null;
        } catch (NoSuchFileException e) {
            return "Provided file path does not exist";
        } catch (LogicalLines.LineTooLongException e) {
            return e.getMessage();
        } catch (IOException e) {
            return "The file cannot be read: " + e.getMessage();
        } finally {
            session.open.remove(key);
        }
    }

    private void readAll() throws IOException {
        while (lines.next()) {
            lexer.reset(lines.bytes(), lines.start(), lines.end());
            if (!lexer.next()) {
                if (lexer.unclosed()) {
                    session.problems.error(problem("", DagLexer.UNCLOSED, ""));
                }
                continue;
            }
            DagCommand found = DagCommand.of(lexer.bytes(), lexer.from(), lexer.to());
            if (found == null) {
                String word = lexer.text();
                session.problems.error(problem("", "'" + word + "' is not a valid DAG command", DagCommand.hint(word)));
            } else {
                command = found == DagCommand.WEAK ? DagCommand.PARENT : found;
                execute(found);
            }
        }
        if (lines.endedInContinuation()) {
            session.problems.warning(problem(
                    "",
                    "The last line ends with a backslash",
                    "Maybe a line is missing: condor ignores this command."));
        }
    }

    private void execute(DagCommand found) throws IOException {
        if (found.definesNode() || found == DagCommand.SPLICE || found == DagCommand.SUBMIT_DESCRIPTION) {
            nodeCommands.execute(found);
        } else if (found.ordinal() <= DagCommand.WEAK.ordinal()) {
            graphCommands.family(found == DagCommand.WEAK);
        } else if (found.ordinal() <= DagCommand.CATEGORY.ordinal() || found == DagCommand.SAVE_POINT_FILE) {
            modifierCommands.execute(found);
        } else if (found.ordinal() >= DagCommand.CONNECT.ordinal()) {
            graphCommands.execute(found);
        } else {
            globalCommands.execute(found);
        }
    }

    LogicalLines lines() {
        return lines;
    }

    int depth() {
        return depth;
    }

    int line() {
        return lines.line();
    }

    /** Complains about the current token. Always false, so that a command can end with it. */
    boolean fail(String reason) {
        return fail(reason, "");
    }

    boolean fail(String reason, String hint) {
        String told = lexer.unclosed() ? DagLexer.UNCLOSED : reason;
        String help = lexer.unclosed()
                ? "A quote (\" or ') must close on the same line; inside, \\\" stands for a quote."
                : hint;
        session.problems.error(
                problem(command.name(), told, help.isEmpty() ? "The form is: " + command.syntax() : help));
        return false;
    }

    boolean unexpected() {
        return fail("Unexpected token '" + lexer.text() + "'");
    }

    /** Complains if anything is left on the line. */
    boolean nothingLeft() {
        return lexer.next() ? unexpected() : !lexer.unclosed() || fail("");
    }

    void warn(String reason, String hint) {
        session.problems.warning(problem(command.name(), reason, hint));
    }

    int column() {
        return lines.columnAt(lexer.offset());
    }

    private DagProblem problem(String keyword, String reason, String hint) {
        int at = lines.lineAt(lexer.offset());
        // Of a command over several lines condor names the first; the column still helps only on the line it belongs
        // to.
        int column = at == lines.line() ? lines.columnAt(lexer.offset()) : 0;
        return new DagProblem(session.files.get(file), lines.line(), Math.max(column, 0), keyword, reason, hint);
    }

    /** An error about the command as a whole. */
    DagProblem problemHere(String reason, String hint) {
        return problem(command.name(), reason, hint);
    }
}
