package org.metasched.dag.binding;

import org.jspecify.annotations.Nullable;

/**
 * Quoting that keeps a value what it is where it is inserted: no macro in it is expanded, it closes no quote and ends no entry. Each
 * method takes the text before the value, from the beginning of the text that is assigned.
 */
enum ValueQuoting {
    /** The rest of a line, taken as it is. */
    PLAIN {
        @Override
        String quoted(String value, String before) {
            return value;
        }
    },
    /** A ClassAd expression of the old syntax: in its strings a backslash means itself, but not before a quote. */
    EXPRESSION {
        @Override
        @Nullable
        String quoted(String value, String before) {
            if (!isInString(before)) {
                return value;
            }
            return value.endsWith("\\") ? null : value.replace("\"", "\\\"");
        }
    },
    /** Arguments in either syntax. Blanks still divide, as in condor. */
    ARGUMENTS {
        @Override
        String quoted(String value, String before) {
            String start = before.stripLeading();
            if (!start.startsWith("\"")) {
                return value.replace("\"", "\\\"");
            }
            boolean inside = start.chars().filter(c -> c == '\'').count() % 2 == 1;
            return value.replace("'", inside ? "''" : "''''").replace("\"", "\"\"");
        }
    },
    /** The values of a VARS command. */
    VARS {
        @Override
        @Nullable
        String quoted(String value, String before) {
            if (isQuotedInDag(before)) {
                return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("'", "\\'");
            }
            return value.chars().anyMatch(c -> c == ' ' || c == '\t' || c == '"' || c == '\'') ? null : value;
        }
    },
    /** Entries separated by semicolons, which no quoting protects. */
    ENTRIES {
        @Override
        @Nullable
        String quoted(String value, String before) {
            return value.chars().anyMatch(c -> c == ';' || c == '"' || c == '\'') ? null : value;
        }
    };

    /** The value as it must be written there, its dollar signs protected too; null if no quoting fits. */
    @Nullable
    String write(String value, String before) {
        String quoted = quoted(value, before);
        return quoted == null ? null : protectDollars(quoted);
    }

    abstract @Nullable String quoted(String value, String before);

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

    private static boolean isQuotedInDag(String before) {
        char quote = 0;
        for (int i = 0; i < before.length(); i++) {
            char c = before.charAt(i);
            if (quote != 0 && c == '\\') {
                i++;
            } else if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
                quote = quote == 0 ? c : 0;
            }
        }
        return quote != 0;
    }
}
