package org.metasched.dag.binding;

import org.jspecify.annotations.Nullable;
import org.metasched.submit.MacroScanner;
import org.metasched.submit.MacroScanner.Macro;

/**
 * A place in a text for a value of the site.
 *
 * @param kind kind of the value
 * @param start index of the first dollar sign
 * @param end index behind the closing parenthesis
 * @param name name of the variable or attribute, or text of the expression
 * @param fallback the default behind the colon; null if there is no colon
 */
record SiteReference(
        Kind kind,
        int start,
        int end,
        String name,
        @Nullable String fallback) {

    /** Kind of a reference. */
    enum Kind {
        /** {@code $ENV(X)}: a variable of the DAG's environment. */
        VARIABLE,
        /** {@code $$(A)}: an attribute of the matched ad, as its text stands. */
        ATTRIBUTE,
        /** {@code $$([e])}: an expression, evaluated between the two ads. */
        EXPRESSION
    }

    private static final String VARIABLE = "$ENV(";
    private static final String MATCH = "$$(";

    /** The first reference at or after a position, or null. */
    static @Nullable SiteReference next(String text, int from) {
        int at = from;
        while (true) {
            int variable = text.indexOf(VARIABLE, at);
            int match = text.indexOf(MATCH, at);
            if (variable < 0 && match < 0) {
                return null;
            }
            boolean isMatch = variable < 0 || (match >= 0 && match < variable);
            int start = isMatch ? match : variable;
            SiteReference reference = isMatch ? match(text, start) : variable(text, start);
            if (reference != null) {
                return reference;
            }
            at = start + 2;
        }
    }

    private static @Nullable SiteReference variable(String text, int start) {
        if (start > 0 && text.charAt(start - 1) == '$') {
            return null;
        }
        Macro macro = MacroScanner.environmentMacro(text, start);
        // To condor, a name made of macros is no name before they are expanded; SiteValues refuses it.
        return macro == null
                ? named(Kind.VARIABLE, text, start, start + VARIABLE.length())
                : new SiteReference(Kind.VARIABLE, start, macro.end(), macro.body(), macro.fallback());
    }

    private static @Nullable SiteReference match(String text, int start) {
        int begin = start + MATCH.length();
        if (begin < text.length() && text.charAt(begin) == '[') {
            int close = closing(text, begin + 1);
            return close < 0
                    ? null
                    : new SiteReference(Kind.EXPRESSION, start, close + 2, text.substring(begin + 1, close), null);
        }
        return named(Kind.ATTRIBUTE, text, start, begin);
    }

    private static @Nullable SiteReference named(Kind kind, String text, int start, int begin) {
        int close = text.indexOf(')', begin);
        if (close < 0 || text.substring(begin, close).indexOf('\n') >= 0) {
            return null;
        }
        int colon = text.indexOf(':', begin);
        boolean hasFallback = colon >= 0 && colon < close;
        String name = text.substring(begin, hasFallback ? colon : close).strip();
        return new SiteReference(kind, start, close + 1, name, hasFallback ? text.substring(colon + 1, close) : null);
    }

    /** The index at which {@code ])}, outside of strings, closes an expression; -1 if none does. */
    private static int closing(String text, int from) {
        boolean quoted = false;
        for (int i = from; i + 1 < text.length() && text.charAt(i) != '\n'; i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                // A backslash before a quote belongs to the string around the whole macro.
                i += quoted && text.charAt(i + 1) != '"' ? 1 : 0;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == ']' && text.charAt(i + 1) == ')') {
                return i;
            }
        }
        return -1;
    }

    /** The reference as the user wrote it. */
    String written(String text) {
        return text.substring(start, end);
    }
}
