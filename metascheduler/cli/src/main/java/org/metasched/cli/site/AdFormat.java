package org.metasched.cli.site;

import java.util.ArrayList;
import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.cli.output.ExitCodeException;

/** A line with {@code {EXPR}} for values of an ad: strings bare, all others as in the long form of an ad. */
record AdFormat(List<Expr> parts, boolean endsWithNewline) {

    /** @throws ExitCodeException if a brace or an expression is wrong */
    static AdFormat parse(String format) {
        var parts = new ArrayList<Expr>();
        var text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c == '\\' && i + 1 < format.length()) {
                char escaped = format.charAt(++i);
                text.append(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
            } else if (c == '{') {
                int end = closing(format, i);
                parts.add(Literal.of(text.toString()));
                text.setLength(0);
                parts.add(expression(format, i + 1, end));
                i = end;
            } else {
                text.append(c);
            }
        }
        parts.add(Literal.of(text.toString()));
        return new AdFormat(parts, text.toString().endsWith("\n"));
    }

    /** The line of an ad, with its line end. */
    String of(ClassAd ad) {
        var line = new StringBuilder();
        for (Expr part : parts) {
            Value value = part.evaluate(Scope.of(ad, LookupMode.OLD));
            line.append(
                    value instanceof Value.Text text
                            ? text.text()
                            : Literal.of(value).print(Syntax.OLD));
        }
        return line + (endsWithNewline ? "" : "\n");
    }

    /** The index of the brace that closes this one: inside an expression braces are lists, and in a string text. */
    private static int closing(String format, int open) {
        int depth = 0;
        boolean quoted = false;
        for (int i = open; i < format.length(); i++) {
            char c = format.charAt(i);
            if (quoted && c == '\\') {
                i++; // the next character is escaped
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '{') {
                depth++;
            } else if (!quoted && c == '}' && --depth == 0) {
                return i;
            }
        }
        throw ExitCodeException.badInput("--format: the brace at column " + (open + 1) + " is not closed.");
    }

    private static Expr expression(String format, int begin, int end) {
        try {
            return Expr.parse(format.substring(begin, end));
        } catch (ClassAdSyntaxException e) {
            throw ExitCodeException.badInput("--format: at column " + (begin + 1) + ": " + e.getMessage());
        }
    }
}
