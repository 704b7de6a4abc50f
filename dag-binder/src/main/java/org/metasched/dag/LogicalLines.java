package org.metasched.dag;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines of a DAG file as DAGMan sees them: trimmed, blank and comment lines left out, a trailing backslash joining the next line
 * that is neither. Works on bytes and keeps one buffer, so a line is valid only until the next call. Not thread-safe.
 */
final class LogicalLines implements Closeable {

    /** A line is longer than the limit. */
    static final class LineTooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        LineTooLongException(int line, int limit) {
            super("line " + line + " is longer than " + limit + " bytes");
        }
    }

    private final InputStream in;
    private final int limit;
    private byte[] window = new byte[1 << 16];
    private int head;
    private int tail;
    private boolean ended;

    private int physicalLine;
    private int rawStart;
    private byte[] joined = new byte[0];
    private final LineJoins joins = new LineJoins();

    private byte[] bytes = window;
    private int start;
    private int end;
    private int line;
    private boolean dangling;

    LogicalLines(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** The physical line, from 1, on which the current one begins. */
    int line() {
        return line;
    }

    /** Whether the file ended inside a continuation: condor drops such a command without a word. */
    boolean endedInContinuation() {
        return dangling;
    }

    /** The next command, continuations joined. */
    boolean next() throws IOException {
        joins.clear();
        do {
            if (!physical()) {
                return false;
            }
        } while (skipped());
        line = physicalLine;
        if (end > start && bytes[end - 1] == '\\') {
            return join();
        }
        return true;
    }

    /** The next line of an inline description: trimmed, neither skipped nor joined. */
    boolean nextPhysical() throws IOException {
        joins.clear();
        boolean found = physical();
        line = physicalLine;
        return found;
    }

    /** Whether the current line is blank or a comment. */
    boolean skipped() {
        return start == end
                || bytes[start] == '#'
                || (bytes[start] == '/' && end - start > 1 && bytes[start + 1] == '/');
    }

    /** Whether the current line closes an inline description: nothing stands behind the closing token, or a blank. */
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
        for (int join = 0; join < joins.size() && joins.offset(join) <= offset; join++) {
            at = joins.line(join);
        }
        return at;
    }

    /** Its column, from 1, in bytes. */
    int columnAt(int offset) {
        int column = offset - rawStart + 1;
        for (int join = 0; join < joins.size() && joins.offset(join) <= offset; join++) {
            column = offset - joins.offset(join) + joins.column(join);
        }
        return column;
    }

    private boolean join() throws IOException {
        int length = 0;
        boolean more = true;
        while (more) {
            more = bytes[end - 1] == '\\';
            int part = end - start - (more ? 1 : 0);
            if (length + part + 1 > limit) {
                throw new LineTooLongException(line, limit);
            }
            joined = length + part + 1 > joined.length ? Arrays.copyOf(joined, (length + part + 1) * 2) : joined;
            joins.add(length, physicalLine, start - rawStart + 1);
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
        } while (skipped());
        return true;
    }

    private boolean physical() throws IOException {
        bytes = window;
        int from = head;
        int scan = head;
        while (true) {
            while (scan < tail && window[scan] != '\n') {
                scan++;
            }
            if (scan < tail) {
                break;
            }
            if (ended) {
                if (from == tail) {
                    return false;
                }
                break;
            }
            int kept = scan - from;
            fill(from);
            from = 0;
            scan = kept;
        }
        physicalLine++;
        if (scan - from > limit) {
            throw new LineTooLongException(physicalLine, limit);
        }
        bytes = window;
        rawStart = from;
        head = Math.min(scan + 1, tail);
        trim(from, scan);
        return true;
    }

    private void trim(int from, int to) {
        start = from;
        end = to;
        while (start < end && isSpace(bytes[start])) {
            start++;
        }
        while (end > start && isSpace(bytes[end - 1])) {
            end--;
        }
    }

    /** Moves the unread bytes to the front and reads more behind them. */
    private void fill(int from) throws IOException {
        int kept = tail - from;
        if (kept > limit) {
            throw new LineTooLongException(physicalLine + 1, limit);
        }
        if (kept == window.length) {
            window = Arrays.copyOf(window, window.length * 2);
        } else if (from > 0) {
            System.arraycopy(window, from, window, 0, kept);
        }
        head = 0;
        int read = in.read(window, kept, window.length - kept);
        ended = read < 0;
        tail = kept + Math.max(read, 0);
    }

    static boolean isSpace(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
