package org.metasched.adapter;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes text of unknown origin fit for a message or a log line: one line, no control characters, bounded. */
public final class DisplayText {

    private static final int SHORT = 80;
    private static final Pattern LINE_END = Pattern.compile("\\R");

    private DisplayText() {}

    /** At most 80 characters of a text, escaped. */
    public static String of(String text) {
        return of(text, SHORT);
    }

    /**
     * At most {@code longest} characters of a text, then an ellipsis if it is longer. Control and format characters, line separators and
     * halves of surrogate pairs are shown by their code.
     */
    public static String of(String text, int longest) {
        var shown = new StringBuilder();
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            String piece = isHarmless(c) ? Character.toString(c) : String.format("\\u%04x", c);
            if (shown.length() + piece.length() > longest) {
                return shown.append('…').toString();
            }
            shown.append(piece);
        }
        return shown.toString();
    }

    /** The output of a command on one line: non-empty lines joined by "; ". At most 300 characters. */
    public static String lines(String text) {
        // Enough for 300 characters after blank lines, however long the output is.
        String head = text.length() > 4000 ? text.substring(0, 4000) : text;
        String joined = LINE_END.splitAsStream(head)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("; "));
        return of(joined, 300);
    }

    /** A number with its noun: {@code 1 node}, {@code 2 nodes}, {@code 0 matches}, {@code 2 dependencies}. */
    public static String count(long n, String noun) {
        return n + " " + (n == 1 ? noun : noun.replaceFirst("ch$", "che").replaceFirst("y$", "ie") + "s");
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
