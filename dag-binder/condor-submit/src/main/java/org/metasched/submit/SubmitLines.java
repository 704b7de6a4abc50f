package org.metasched.submit;

import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a submit description: trimmed, a trailing backslash joining the next line, whose own leading blanks are dropped. A
 * comment ends a continuation, unless it ends with a backslash itself.
 */
final class SubmitLines {

    private final BufferedReader in;
    private final String file;
    private final int limit;
    private int line;
    private int position;

    SubmitLines(BufferedReader in, String file, int limit) {
        this.in = in;
        this.file = file;
        this.limit = limit;
    }

    String file() {
        return file;
    }

    /** The number, from 1, of the last line that was read. */
    int line() {
        return line;
    }

    /** How many letters have been read; one more behind a last line without an end. */
    int position() {
        return position;
    }

    /** The next line with its continuations, or null at the end. */
    @Nullable
    String next() throws IOException, SubmitException {
        String first = physical();
        if (first == null || first.startsWith("#") || !first.endsWith("\\")) {
            return first;
        }
        StringBuilder whole = new StringBuilder();
        String part = first;
        while (part != null && part.endsWith("\\")) {
            if (whole.length() == 0 || !part.startsWith("#")) {
                whole.append(part, 0, part.length() - 1);
            }
            if (whole.length() > limit) {
                throw tooLong();
            }
            part = physical();
        }
        if (part != null && !part.startsWith("#")) {
            whole.append(part);
        }
        return whole.toString().stripTrailing();
    }

    private @Nullable String physical() throws IOException, SubmitException {
        StringBuilder text = new StringBuilder();
        int c = in.read();
        if (c < 0) {
            return null;
        }
        line++;
        position++;
        while (c >= 0 && c != '\n') {
            if (text.length() >= limit) {
                throw tooLong();
            }
            if (c == 0) {
                throw new SubmitException(file, line, "There is a NUL byte in the line.\nMaybe this is no text file.");
            }
            text.append((char) c);
            c = in.read();
            position++;
        }
        return text.toString().strip();
    }

    private SubmitException tooLong() {
        return new SubmitException(file, line, "The line is longer than " + limit + " bytes.");
    }
}
