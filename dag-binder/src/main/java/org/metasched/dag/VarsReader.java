package org.metasched.dag;

import org.jspecify.annotations.Nullable;

/**
 * The pairs of a VARS command. Blanks may stand around the equals sign; a value may be in quotes of either kind, or bare. A value
 * ends at the first blank outside quotes; if it began with a quote, its first and last letters are cut, whatever the last one is.
 */
final class VarsReader {

    /** One pair, or why it is none. */
    record Pair(String key, String value, String problem, String hint) {}

    private final DagLexer lexer;
    private final boolean checksOnly;
    private boolean first = true;

    /**
     * A reader of what is left on the line.
     *
     * @param checksOnly whether values are of no interest; they are empty then
     */
    VarsReader(DagLexer lexer, boolean checksOnly) {
        this.lexer = lexer;
        this.checksOnly = checksOnly;
    }

    /** The next pair, or null at the end. After a problem there is nothing more to ask. */
    @Nullable
    Pair next() {
        if (lexer.atEnd()) {
            return null;
        }
        String key = key();
        if (first && isMode(key)) {
            first = false;
            return next();
        }
        first = false;
        if (lexer.peek() != '=') {
            return problem("Key value pair missing operator and value", "Maybe you meant " + key + "=\"...\".");
        }
        lexer.skip(1);
        if (lexer.here() == '=') {
            return problem("Key value pair missing value: Double operator", "");
        }
        if (lexer.atEnd()) {
            return problem("Key value pair missing value", "An empty value is written " + key + "=\"\".");
        }
        lexer.next();
        if (lexer.unclosed()) {
            return problem(DagLexer.UNCLOSED, "");
        }
        return checked(key, checksOnly ? "" : lexer.text());
    }

    private boolean isMode(String key) {
        return (key.equalsIgnoreCase("PREPEND") || key.equalsIgnoreCase("APPEND")) && lexer.peek() != '=';
    }

    private Pair checked(String key, String raw) {
        if (key.isEmpty()) {
            return problem("Key value pair missing key", "");
        }
        if (key.equals("+")) {
            return problem("Variable name must contain at least one alphanumeric character", "");
        }
        if (key.regionMatches(true, 0, "queue", 0, 5)) {
            return problem(
                    "Illegal variable name '" + key + "': name can not begin with 'queue'",
                    "A submit description would take it for its queue statement.");
        }
        boolean quoted = raw.length() > 1 && (raw.charAt(0) == '"' || raw.charAt(0) == '\'');
        return new Pair(key, quoted ? raw.substring(1, raw.length() - 1) : raw, "", "");
    }

    private String key() {
        lexer.peek();
        int begin = lexer.position();
        int c = lexer.here();
        while (c >= 0 && c != '=' && !DagLexer.isDelimiter(c)) {
            lexer.skip(1);
            c = lexer.here();
        }
        return lexer.latin1(begin);
    }

    private static Pair problem(String reason, String hint) {
        return new Pair("", "", reason, hint);
    }
}
