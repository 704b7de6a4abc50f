package org.metasched.publisher;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the value of {@code SiteEnvironment}: the old syntax {@code A=1;B=2}, as the sites of 2003 wrote it, or the new one
 * ({@code "A=1 B='x y'"} with the double quotes inside the value) where a value has a semicolon or a double quote. A text without a
 * semicolon may be read as either syntax: the value of an only variable with a blank or a quote is written in the new one, too.
 */
final class SiteEnvironment {

    private SiteEnvironment() {}

    /** The value of the attribute {@code SiteEnvironment} for an environment. */
    static String written(Map<String, String> environment) {
        boolean fitsOldSyntax = environment.values().stream()
                .noneMatch(value -> value.matches(environment.size() == 1 ? "(?s).*[;\"\\s'].*" : "(?s).*[;\"].*"));
        if (fitsOldSyntax) {
            return environment.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining(";"));
        }
        return environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
                .collect(Collectors.joining(" ", "\"", "\""));
    }

    private static String quoted(String value) {
        boolean bare = !value.isEmpty() && value.chars().noneMatch(c -> c == ' ' || c == '\t' || c == '\'' || c == '"');
        String doubled = value.replace("\"", "\"\"");
        return bare ? doubled : "'" + doubled.replace("'", "''") + "'";
    }
}
