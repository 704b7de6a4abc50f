package org.metasched.submit;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the next macro, {@code $(X)} or {@code $FUNCTION(...)}, in a text. {@code $$(...)} is left for the time of the match. */
public final class MacroScanner {

    private static final Set<String> FUNCTIONS =
            Set.of("ENV RANDOM_CHOICE RANDOM_INTEGER CHOICE SUBSTR INT REAL STRING EVAL BASENAME DIRNAME".split(" "));
    /** Macro functions that keep parts of a file name; see {@link FileNameParts}. */
    private static final Pattern FILE_NAME = Pattern.compile("F(?i:[pnxdqabfwu]*)");

    /** Characters that a default may have and a name may not. */
    private static final String EXTRA_IN_DEFAULTS = "$ ,\\:";

    /**
     * A macro in a text.
     *
     * @param start index of the dollar sign
     * @param end index behind the closing parenthesis
     * @param function name of the macro function; empty for {@code $(X)}
     * @param body text between the parentheses, without the default
     * @param fallback the default behind the colon of {@code $(X:...)} and {@code $ENV(X:...)}, null if there is none
     */
    public record Macro(
            int start,
            int end,
            String function,
            String body,
            @Nullable String fallback) {

        boolean isDollar() {
            return function.isEmpty() && fallback == null && body.equalsIgnoreCase("DOLLAR");
        }
    }

    private MacroScanner() {}

    /** The macro {@code $ENV(X)} or {@code $ENV(X:default)} whose dollar sign stands at a position; null if no such macro is there. */
    public static @Nullable Macro environmentMacro(String text, int dollar) {
        return text.startsWith("$ENV(", dollar) ? named(text, dollar, dollar + 4, "ENV") : null;
    }

    /** The first macro at or after a position, or null. */
    static @Nullable Macro next(String text, int from) {
        int dollar = text.indexOf('$', from);
        while (dollar >= 0) {
            int at = dollar + 1;
            if (at < text.length() && text.charAt(at) == '$') {
                at++;
            }
            while (at < text.length() && isWord(text.charAt(at))) {
                at++;
            }
            if (at < text.length() && text.charAt(at) == '(' && text.charAt(dollar + 1) != '$') {
                Macro macro = macro(text, dollar, at);
                if (macro != null) {
                    return macro;
                }
            }
            dollar = text.indexOf('$', Math.max(at, dollar + 1));
        }
        return null;
    }

    private static @Nullable Macro macro(String text, int dollar, int parenthesis) {
        String function = text.substring(dollar + 1, parenthesis);
        if (function.isEmpty() || function.equals("ENV")) {
            return named(text, dollar, parenthesis, function);
        }
        if (!FUNCTIONS.contains(function) && !FILE_NAME.matcher(function).matches()) {
            return null;
        }
        int close = text.indexOf(')', parenthesis);
        return close < 0 ? null : new Macro(dollar, close + 1, function, text.substring(parenthesis + 1, close), null);
    }

    /** {@code (name)} or {@code (name:default)}. A default may have parentheses in it, but not within one another. */
    private static @Nullable Macro named(String text, int dollar, int parenthesis, String function) {
        int begin = parenthesis + 1;
        int colon = -1;
        int at = begin;
        while (at < text.length() && text.charAt(at) != ')') {
            char c = text.charAt(at++);
            if (c == ':' && colon < 0) {
                colon = at - 1;
            } else if (colon >= 0 && c == '(') {
                int close = text.indexOf(')', at);
                if (close < 0) {
                    return null;
                }
                at = close + 1;
            } else if (!isNameLetter(c) && (colon < 0 || EXTRA_IN_DEFAULTS.indexOf(c) < 0)) {
                return null;
            }
        }
        if (at >= text.length()) {
            return null;
        }
        String name = text.substring(begin, colon < 0 ? at : colon);
        return new Macro(dollar, at + 1, function, name, colon < 0 ? null : text.substring(colon + 1, at));
    }

    private static boolean isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    static boolean isNameLetter(char c) {
        return isWord(c) || c == '.' || c == '/';
    }
}
