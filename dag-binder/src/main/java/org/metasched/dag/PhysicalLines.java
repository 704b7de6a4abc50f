package org.metasched.dag;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The lines of a file, trimmed, in one buffer of bytes: a line is valid only until the next call. Not thread-safe. */
final class PhysicalLines implements Closeable {

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
    /** The unread bytes are {@code window[head, tail)}. */
    private int head;

    private int tail;
    private boolean ended;
    /** The number of the line, from 1. */
    int line;
    /** The index of the line's first byte, blanks included. */
    int rawStart;

    int start;
    int end;

    PhysicalLines(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    byte[] bytes() {
        return window;
    }

    /** The index behind the line's end. */
    int rawEnd() {
        return head;
    }

    /** Whether the line is blank or a comment. */
    boolean isSkipped() {
        return start == end
                || window[start] == '#'
                || (window[start] == '/' && end - start > 1 && window[start + 1] == '/');
    }

    /** Goes to the next line; false at the end. */
    boolean next() throws IOException {
        int from = head;
        int scan = head;
        while (true) {
            while (scan < tail && window[scan] != '\n') {
                scan++;
            }
            if (scan < tail || ended) {
                break;
            }
            int kept = scan - from;
            fill(from);
            from = 0;
            scan = kept;
        }
        if (from == tail) {
            return false;
        }
        line++;
        if (scan - from > limit) {
            throw new LineTooLongException(line, limit);
        }
        rawStart = from;
        head = Math.min(scan + 1, tail);
        trim(from, scan);
        return true;
    }

    private void trim(int from, int to) {
        start = from;
        end = to;
        while (start < end && isSpace(window[start])) {
            start++;
        }
        while (end > start && isSpace(window[end - 1])) {
            end--;
        }
    }

    /** Moves the unread bytes to the front and reads more behind them. */
    private void fill(int from) throws IOException {
        int kept = tail - from;
        if (kept > limit) {
            throw new LineTooLongException(line + 1, limit);
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

    private static boolean isSpace(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
