package org.metasched.dag.binding;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ways of quoting, by the place where a value is inserted. A quoted value is read as it is: no macro in it is expanded, it closes no quote
 * and ends no entry.
 */
enum ValueQuoting {
    /** The rest of a line, taken as it is. */
    PLAIN,
    /** A ClassAd expression of the old syntax: in its strings a backslash means itself, but not before a quote. */
    EXPRESSION,
    /** Arguments in either syntax. Blanks still divide, as in condor. */
    ARGUMENTS,
    /** The values of a VARS command. */
    VARS,
    /** Entries separated by semicolons, which no quoting protects. */
    ENTRIES;

    /** The end of a text before a value of VARS that condor takes for the expression of an attribute. */
    private static final Pattern ATTRIBUTE = Pattern.compile("(?i)\\s([+]|my\\.)[^\\s=]*\\s*=\\s*$");

    /**
     * The value as it must be written, its dollar signs protected too; null if no quoting fits.
     *
     * @param before text before the value, from the beginning of the text that is assigned
     */
    @Nullable
    String write(String value, String before) {
        String quoted = switch (this) {
            case PLAIN -> value;
            case EXPRESSION -> inExpression(value, before);
            case ARGUMENTS -> inArguments(value, before.stripLeading());
            case VARS -> inVars(value, before);
            case ENTRIES -> unlessHas(";\"'", value);
        };
        return quoted == null ? null : protectDollars(quoted);
    }

    private static @Nullable String unlessHas(String characters, String value) {
        return value.chars().anyMatch(c -> characters.indexOf(c) >= 0) ? null : value;
    }

    private static @Nullable String inExpression(String value, String before) {
        if (!isInString(before)) {
            return value;
        }
        return value.endsWith("\\") ? null : value.replace("\"", "\\\"");
    }

    private static String inArguments(String value, String before) {
        if (!before.startsWith("\"")) {
            return value.replace("\"", "\\\"");
        }
        // In single quotes, a single quote is written twice; outside of them, it needs its own pair around it.
        boolean inside = before.chars().filter(c -> c == '\'').count() % 2 == 1;
        return value.replace("'", inside ? "''" : "''''").replace("\"", "\"\"");
    }

    private static @Nullable String inVars(String value, String before) {
        int quote = openQuote(before);
        if (quote < 0) {
            return unlessHas(" \t\"'", value);
        }
        String said = ATTRIBUTE.matcher(before.substring(0, quote)).find()
                ? inExpression(value, before.substring(quote + 1).replaceAll("(?s)\\\\(.)", "$1"))
                : value;
        return said == null ? null : said.replaceAll("[\\\\\"']", "\\\\$0");
    }

    /** {@code $(DOLLAR)} is a dollar sign that condor does not look at again. */
    static String protectDollars(String text) {
        return text.replace("$", "$(DOLLAR)");
    }

    private static boolean isInString(String before) {
        boolean inside = false;
        for (int i = 0; i < before.length(); i++) {
            boolean escapes = before.charAt(i) == '\\' && i + 1 < before.length() && before.charAt(i + 1) == '"';
            if (escapes) {
                i++;
            } else if (before.charAt(i) == '"') {
                inside = !inside;
            }
        }
        return inside;
    }

    /** The index of the quote of a DAG file that is open at the end; -1 if none is. */
    private static int openQuote(String before) {
        int open = -1;
        for (int i = 0; i < before.length(); i++) {
            char c = before.charAt(i);
            if (open >= 0 && c == '\\') {
                i++;
            } else if (open < 0 ? c == '"' || c == '\'' : c == before.charAt(open)) {
                open = open < 0 ? i : -1;
            }
        }
        return open;
    }
}
