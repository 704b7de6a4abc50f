package org.metasched.dag;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the text of one DAG file into pieces, for a program that writes a changed copy. The joined pieces are the file. Reads one command
 * at a time. Not thread-safe.
 */
public final class CommandTexts implements Closeable {

    /**
     * A piece of a DAG file.
     *
     * @param node name of the node or description that the piece is about; may be empty
     * @param text text of the piece with its line ends, as Latin-1: a character for each byte
     * @param line number of its first line, from 1
     */
    public record CommandText(Kind kind, String node, String text, int line) {}

    /** Subject of a piece. */
    public enum Kind {
        VARIABLES,
        JOB_ATTRIBUTE,
        ENVIRONMENT,
        /** A submit description in the DAG file, without the lines that open and close it. */
        DESCRIPTION,
        OTHER
    }

    private final LogicalLines lines;
    private final int limit;
    private final DagLexer lexer = new DagLexer();
    private final Deque<CommandText> pending = new ArrayDeque<>(2);

    /** @param limit greatest length of a command with its continuations, and of a description, in bytes */
    public CommandTexts(InputStream in, int limit) {
        this.lines = new LogicalLines(in, limit, true);
        this.limit = limit;
    }

    /**
     * The next piece, or null at the end.
     *
     * @throws IOException also if a command or a description is longer than the limit
     */
    public @Nullable CommandText next() throws IOException {
        if (!pending.isEmpty()) {
            return pending.remove();
        }
        if (!lines.nextOrSkipped()) {
            return lines.raw().isEmpty() ? null : other();
        }
        if (lines.isSkipped()) {
            return other();
        }
        lexer.reset(lines.bytes, lines.start, lines.end);
        DagCommand command = lexer.next() ? DagCommand.of(lexer.bytes(), lexer.from, lexer.to) : null;
        if (command == null) {
            return other();
        }
        return switch (command) {
            case VARS -> piece(Kind.VARIABLES, lexer.next() ? lexer.text() : "");
            case SET_JOB_ATTR -> piece(Kind.JOB_ATTRIBUTE, "");
            case ENV -> piece(Kind.ENVIRONMENT, "");
            case JOB, FINAL, PROVISIONER, SERVICE, SUBMIT_DESCRIPTION -> definition();
            default -> other();
        };
    }

    /** Whether the file ended inside a continuation: condor drops that command, and would join more text to it. */
    public boolean endedInContinuation() {
        return lines.endedInContinuation();
    }

    private CommandText other() {
        return piece(Kind.OTHER, "");
    }

    private CommandText piece(Kind kind, String node) {
        return new CommandText(kind, node, lines.raw(), lines.line);
    }

    /** The command that defines a node or description; an inline description waits in {@code pending}. */
    private CommandText definition() throws IOException {
        CommandText opening = other();
        String name = lexer.next() ? lexer.text() : "";
        String closing = lexer.nextUnquoted() ? lexer.closingOfDescription() : "";
        if (!closing.isEmpty()) {
            description(name, closing.getBytes(StandardCharsets.UTF_8));
        }
        return opening;
    }

    private void description(String name, byte[] closing) throws IOException {
        StringBuilder text = new StringBuilder();
        int firstLine =
                lines.line + (int) lines.raw().chars().filter(c -> c == '\n').count();
        boolean more = lines.nextPhysical();
        while (more && !lines.isEndOfDescription(closing)) {
            text.append(lines.raw());
            if (text.length() > limit) {
                throw new IOException("line " + lines.line + ": the description of (" + name + ") is longer than "
                        + limit + " bytes");
            }
            more = lines.nextPhysical();
        }
        pending.add(new CommandText(Kind.DESCRIPTION, name, text.toString(), firstLine));
        if (more) {
            pending.add(other());
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
