package org.metasched.dag;

import org.metasched.dag.DagNode.Variable;

/**
 * The pairs of a VARS command. Blanks may stand around the equals sign; a value may be in quotes of either kind, or bare. A value ends at
 * the first blank outside quotes. If it begins with a quote, its first and last characters are cut, even if the last one is no quote.
 */
final class VariableReader {

    private final CommandReader reader;
    private final DagLexer lexer;
    private final boolean append;

    /** A reader of the rest of the line, which may begin with PREPEND or APPEND. */
    VariableReader(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
        int begin = lexer.position();
        String mode = key();
        boolean isMode = (mode.equalsIgnoreCase("PREPEND") || mode.equalsIgnoreCase("APPEND")) && lexer.peek() != '=';
        this.append = isMode && mode.equalsIgnoreCase("APPEND");
        if (!isMode) {
            lexer.back(begin);
        }
    }

    /** The next pair; the line must not be at its end. Its value is empty unless nodes are kept. */
    Variable next() throws RefusedCommandException {
        String key = key();
        if (lexer.peek() != '=') {
            throw reader.refused("Key value pair missing operator and value", "Maybe you meant " + key + "=\"...\".");
        }
        lexer.skip(1);
        reader.refuseIf(lexer.here() == '=', "Key value pair missing value: Double operator");
        if (lexer.atEnd()) {
            throw reader.refused("Key value pair missing value", "An empty value is written " + key + "=\"\".");
        }
        lexer.next();
        reader.requireClosedQuotes();
        checkKey(key);
        String raw = reader.session.details.isKept ? lexer.text() : "";
        boolean quoted = raw.length() > 1 && (raw.charAt(0) == '"' || raw.charAt(0) == '\'');
        return new Variable(key, quoted ? raw.substring(1, raw.length() - 1) : raw, append);
    }

    private void checkKey(String key) throws RefusedCommandException {
        reader.refuseIf(key.isEmpty(), "Key value pair missing key");
        reader.refuseIf(key.equals("+"), "Variable name must contain at least one alphanumeric character");
        if (key.regionMatches(true, 0, "queue", 0, 5)) {
            throw reader.refused(
                    "Illegal variable name '" + key + "': name can not begin with 'queue'",
                    "A submit description would take it for its queue statement.");
        }
    }

    private String key() {
        lexer.skipBlanks();
        int begin = lexer.position();
        int c = lexer.here();
        while (c >= 0 && c != '=' && !DagLexer.isDelimiter(c)) {
            lexer.skip(1);
            c = lexer.here();
        }
        return lexer.latin1(begin);
    }
}
