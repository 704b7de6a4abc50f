package org.metasched.classad;

import org.metasched.classad.text.Bytes;

/**
 * The error that a text is not a ClassAd or not an expression; unchecked. The message shows line and column, and a caret under the
 * error.
 */
public final class ClassAdSyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The most characters of a line that the message quotes. */
    private static final int LONGEST_EXCERPT = 120;

    /** The most characters of a reason. */
    private static final int LONGEST_REASON = 500;

    private final String message;
    private final String reason;
    private final int line;
    private final int column;

    /** The reason, cut if it is long: it may quote the text. */
    private static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON - 1) + "…";
    }

    private ClassAdSyntaxException(String message, String reason, int line, int column) {
        super(message, null, false, false);
        this.message = message;
        this.reason = reason;
        this.line = line;
        this.column = column;
    }

    /**
     * A syntax error at an offset of a text. For the grammar and the written forms.
     *
     * @param offset the byte at which the error is; behind {@code end}, the error is at {@code end}
     * @param end the offset behind the text that was read, beyond which the message quotes nothing
     * @param reason the error in words, such as "expected ';'"
     * @param hint a probable intention of the author, which the message appends after "Maybe"; may be empty
     */
    public static ClassAdSyntaxException at(byte[] text, int offset, int end, String reason, String hint) {
        int at = Math.min(offset, end);
        String why = shortened(reason);
        int line = 1;
        int start = 0;
        for (int i = 0; i < at; i++) {
            if (text[i] == '\n') {
                line++;
                start = i + 1;
            }
        }
        int stop = at;
        while (stop < end && text[stop] != '\n' && text[stop] != '\r') {
            stop++;
        }
        int column = Bytes.decode(text, start, at).length() + 1;
        var message = new StringBuilder("line %d, column %d: %s".formatted(line, column, why));
        excerpt(message, Bytes.decode(text, start, stop), column);
        if (!hint.isEmpty()) {
            message.append("\nMaybe ").append(hint);
        }
        return new ClassAdSyntaxException(message.toString(), why, line, column);
    }

    /** Appends the line, or the part of it around the column, and a caret under the column. */
    private static void excerpt(StringBuilder message, String line, int column) {
        int from = Math.max(0, column - 1 - LONGEST_EXCERPT / 2);
        int to = Math.min(line.length(), from + LONGEST_EXCERPT);
        // A hostile text could use control characters to give commands to the terminal that shows it.
        String shown = line.substring(from, to).replaceAll("[\\x00-\\x08\\x0A-\\x1F\\x7F-\\x9F]", "?");
        message.append("\n  ").append(shown).append("\n  ");
        for (int i = from; i < column - 1; i++) {
            message.append(i < line.length() && line.charAt(i) == '\t' ? '\t' : ' ');
        }
        message.append('^');
    }

    /** Line and column, the reason, the line with a caret under the error, and perhaps a line that begins with "Maybe". */
    @Override
    public String getMessage() {
        return message;
    }

    /** The reason, without line and column. */
    public String reason() {
        return reason;
    }

    /** The line of the error, from 1. */
    public int line() {
        return line;
    }

    /** The column of the error, from 1, in characters. */
    public int column() {
        return column;
    }
}
