package org.metasched.dag;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a DAG file as DAGMan sees them: trimmed, without blank and comment lines. A trailing backslash joins a line to the next line
 * that is neither blank nor a comment. Works on bytes and keeps one buffer, so a line is valid only until the next call. Not thread-safe.
 */
final class LogicalLines implements Closeable {

    /** The beginning of a physical line: its offset in the joined line, in bytes; its line and column in the file, from 1. */
    private record LineJoin(int offset, int line, int column) {}

    private final PhysicalLines lines;
    private final int limit;
    private byte[] joined = new byte[0];
    private final List<LineJoin> joins = new ArrayList<>();
    private final @Nullable ByteArrayOutputStream raw;

    byte[] bytes = joined;
    int start;
    int end;
    /** The physical line, from 1, on which the current one begins. */
    int line;
    /** Whether the file ended inside a continuation. */
    private boolean dangling;

    /** @param keepsRaw whether {@link #raw} will be asked for */
    LogicalLines(InputStream in, int limit, boolean keepsRaw) {
        this.lines = new PhysicalLines(in, limit);
        this.limit = limit;
        this.raw = keepsRaw ? new ByteArrayOutputStream(256) : null;
    }

    /** Whether the file ended inside a continuation: condor silently drops that command. */
    boolean endedInContinuation() {
        return dangling;
    }

    /** Goes to the next command, its continuations joined; false at the end. */
    boolean next() throws IOException {
        do {
            if (!nextOrSkipped()) {
                return false;
            }
        } while (isSkipped());
        return true;
    }

    /** Goes to the next command, its continuations joined, or to the next blank line or comment; false at the end. */
    boolean nextOrSkipped() throws IOException {
        return nextPhysical() && (isSkipped() || bytes[end - 1] != '\\' || join());
    }

    /** Goes to the next line of an inline description: trimmed, neither skipped nor joined; false at the end. */
    boolean nextPhysical() throws IOException {
        joins.clear();
        if (raw != null) {
            raw.reset();
        }
        boolean isThere = physical();
        line = lines.line;
        return isThere;
    }

    /** The current line, or all lines of the current command, as they stand: a character for each byte. */
    String raw() {
        return raw == null ? "" : raw.toString(StandardCharsets.ISO_8859_1);
    }

    /** Whether the current line is blank or a comment. */
    boolean isSkipped() {
        return lines.isSkipped();
    }

    /** Whether the current line closes an inline description: it is the closing token, or begins with that and a blank. */
    boolean isEndOfDescription(byte[] closing) {
        int length = end - start;
        return length >= closing.length
                && startsWith(bytes, start, closing)
                && (length == closing.length || bytes[start + closing.length] == ' ');
    }

    static boolean startsWith(byte[] bytes, int from, byte[] prefix) {
        return Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
    }

    String text() {
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    /** The line, from 1, on which the byte at {@code offset} of the current line stands in the file. */
    int lineAt(int offset) {
        int at = line;
        for (LineJoin join : joins) {
            at = join.offset <= offset ? join.line : at;
        }
        return at;
    }

    /** The column, from 1, in bytes, at which the byte at {@code offset} of the current line stands in its line of the file. */
    int columnAt(int offset) {
        int column = offset - lines.rawStart + 1;
        for (LineJoin join : joins) {
            column = join.offset <= offset ? offset - join.offset + join.column : column;
        }
        return column;
    }

    /** Joins the continuations of the current line; false if the file ends in one. */
    private boolean join() throws IOException {
        int length = 0;
        boolean more = true;
        while (more) {
            more = bytes[end - 1] == '\\';
            int part = end - start - (more ? 1 : 0);
            if (length + part + 1 > limit) {
                throw new PhysicalLines.LineTooLongException(line, limit);
            }
            joined = length + part + 1 > joined.length ? Arrays.copyOf(joined, (length + part + 1) * 2) : joined;
            joins.add(new LineJoin(length, lines.line, start - lines.rawStart + 1));
            System.arraycopy(bytes, start, joined, length, part);
            length += part;
            joined[length] = ' ';
            length += more ? 1 : 0;
            if (more && !nextOfContinuation()) {
                dangling = true;
                return false;
            }
        }
        bytes = joined;
        start = 0;
        end = length;
        return true;
    }

    private boolean nextOfContinuation() throws IOException {
        do {
            if (!physical()) {
                return false;
            }
        } while (isSkipped());
        return true;
    }

    private boolean physical() throws IOException {
        if (!lines.next()) {
            return false;
        }
        bytes = lines.bytes();
        start = lines.start;
        end = lines.end;
        if (raw != null) {
            raw.write(bytes, lines.rawStart, lines.rawEnd() - lines.rawStart);
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
