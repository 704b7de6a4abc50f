package org.metasched.dag;

import java.nio.charset.StandardCharsets;

/**
 * Cuts a command into tokens. Blanks, tabs and carriage returns separate; {@code "} or {@code '} may open anywhere in a token, and
 * between them blanks belong to the token and a backslash takes the next byte as it is. A token is a slice of the line, or of a scratch
 * buffer if it had quotes; it is valid until the next call. Not thread-safe.
 */
final class DagLexer {

    /** condor's error for a quote that never closes. It overrides any other complaint about the line. */
    static final String UNCLOSED = "Invalid quoting: no ending quote found";

    /** Value of a token that begins with no integer. */
    static final long NO_INTEGER = Long.MIN_VALUE;

    private byte[] line = new byte[0];
    private int position;
    private int end;
    private byte[] scratch = new byte[64];

    private byte[] token = line;
    int from;
    int to;
    /** The index in the line at which the current token begins. */
    int offset;
    /** Whether the line has a quote that never closes. */
    boolean unclosed;

    void reset(byte[] bytes, int start, int stop) {
        line = bytes;
        position = start;
        end = stop;
        from = 0;
        to = 0;
        offset = start;
        unclosed = false;
    }

    byte[] bytes() {
        return token;
    }

    String text() {
        return new String(token, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * The token that closes the inline description that the current token opens; empty if it opens none, {@code @} if nothing stands
     * behind its {@code @=}.
     */
    String closingOfDescription() {
        if (token[from] == '{') {
            return "}";
        }
        boolean opens = token[from] == '@' && to - from > 1 && token[from + 1] == '=';
        return opens ? "@" + new String(token, from + 2, to - from - 2, StandardCharsets.UTF_8) : "";
    }

    /** Whether the current token is a keyword; see {@link #isKeyword}. */
    boolean is(String keyword) {
        return isKeyword(token, from, to, keyword);
    }

    /**
     * Whether {@code bytes[start, stop)} is a keyword, ignoring case, with {@code -} or {@code _}.
     *
     * @param keyword in upper case, with {@code -}
     */
    static boolean isKeyword(byte[] bytes, int start, int stop, String keyword) {
        if (stop - start != keyword.length()) {
            return false;
        }
        for (int i = 0; i < keyword.length(); i++) {
            int c = bytes[start + i];
            int upper = c >= 'a' && c <= 'z' ? c - 32 : c == '_' ? '-' : c;
            if (upper != keyword.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Goes to the next token, which keeps its quotes. False at the end of the line or at a quote that never closes. */
    boolean next() {
        return next(false);
    }

    /** Like {@link #next()}, but takes the quotes off, as for file names; false also for a token of empty quotes. */
    boolean nextUnquoted() {
        return next(true);
    }

    /** The rest of the line, trimmed; goes to its end. */
    String rest() {
        skipBlanks();
        String rest = new String(line, position, Math.max(0, end - position), StandardCharsets.UTF_8);
        offset = position;
        position = end;
        return rest.strip();
    }

    /** Whether only blanks are left; skips them. */
    boolean atEnd() {
        skipBlanks();
        return position >= end;
    }

    /** Skips blanks; the byte behind them, or -1 at the end. */
    int peek() {
        skipBlanks();
        return position < end ? line[position] : -1;
    }

    /** The byte at the current position, which may be a blank, or -1 at the end. */
    int here() {
        return position < end ? line[position] : -1;
    }

    void skip(int count) {
        position = Math.min(end, position + count);
        offset = Math.min(offset, position);
    }

    /** Goes back to a position. */
    void back(int earlier) {
        position = earlier;
    }

    int position() {
        return position;
    }

    /** The text of the line from a position to the current one, as Latin-1. */
    String latin1(int begin) {
        return new String(line, begin, position - begin, StandardCharsets.ISO_8859_1);
    }

    private boolean next(boolean unquote) {
        skipBlanks();
        offset = position;
        token = line;
        from = position;
        int scan = position;
        while (scan < end && !isDelimiter(line[scan]) && line[scan] != '"' && line[scan] != '\'') {
            scan++;
        }
        if (scan < end && !isDelimiter(line[scan])) {
            return quoted(unquote);
        }
        to = scan;
        position = scan;
        return to > from;
    }

    private boolean quoted(boolean unquote) {
        if (scratch.length < end - position) {
            scratch = new byte[Math.max(end - position, scratch.length * 2)];
        }
        int length = 0;
        int quote = 0;
        int scan = position;
        while (scan < end && (quote != 0 || !isDelimiter(line[scan]))) {
            int c = line[scan++];
            if (quote != 0 && c == '\\') {
                if (scan < end) {
                    scratch[length++] = line[scan++];
                }
            } else if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
                quote = quote == 0 ? c : 0;
                if (!unquote) {
                    scratch[length++] = (byte) c;
                }
            } else {
                scratch[length++] = (byte) c;
            }
        }
        position = scan;
        token = scratch;
        from = 0;
        to = length;
        if (quote != 0) {
            unclosed = true;
            to = 0;
            position = end;
        }
        return to > from;
    }

    void skipBlanks() {
        while (position < end && isDelimiter(line[position])) {
            position++;
        }
    }

    static boolean isDelimiter(int c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    /**
     * The integer with which the token begins, as {@code std::stoi} reads it: {@code 3x} and {@code 3.7} are 3. {@link #NO_INTEGER}
     * if it begins with none, or with one beyond 32 bits.
     */
    long integer() {
        int at = from;
        boolean negative = at < to && token[at] == '-';
        if (at < to && (token[at] == '-' || token[at] == '+')) {
            at++;
        }
        long value = 0;
        int digits = 0;
        while (at < to && token[at] >= '0' && token[at] <= '9' && value <= -(long) Integer.MIN_VALUE) {
            value = value * 10 + (token[at++] - '0');
            digits++;
        }
        value = negative ? -value : value;
        return digits == 0 || value != (int) value ? NO_INTEGER : value;
    }
}
