package org.metasched.dag.binding;

/** Commands with their continuation lines, found in raw text. */
final class Regions {

    private Regions() {}

    /** The end, line end included, of the command that begins at a position; a comment line is a command of its own. */
    static int end(String text, int start, char comment) {
        int end = lineEnd(text, start);
        String line = text.substring(start, end).strip();
        if (line.startsWith(String.valueOf(comment))) {
            return end;
        }
        while (line.endsWith("\\") && end < text.length()) {
            int next = lineEnd(text, end);
            line = text.substring(end, next).strip();
            end = next;
        }
        return end;
    }

    private static int lineEnd(String text, int start) {
        int newline = text.indexOf('\n', start);
        return newline < 0 ? text.length() : newline + 1;
    }

    static int lines(String region) {
        return (int) region.chars().filter(c -> c == '\n').count();
    }

    /** A value without its continuations: each line trimmed, comment lines left out. */
    static String joined(String value) {
        if (value.indexOf('\n') < 0 || value.indexOf('\n') == value.length() - 1) {
            return value.strip();
        }
        StringBuilder joined = new StringBuilder();
        for (String line : value.split("\n", -1)) {
            String part = line.strip();
            if (!part.startsWith("#")) {
                joined.append(part.endsWith("\\") ? part.substring(0, part.length() - 1) : part);
            }
        }
        return joined.toString().strip();
    }
}
