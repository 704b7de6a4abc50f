package org.metasched.publisher;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the value of {@code SiteEnvironment}. It is in the old syntax, {@code A=1;B=2}, as at the sites of 2003. If a value has a
 * semicolon or a double quote, it is in the new one: {@code "A=1 B='x y'"}, with its double quotes. A text without a semicolon may be read
 * as either syntax, so an only variable whose value has a blank or a quote is written in the new one too.
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
        return value.matches("[^ \t'\"]+")
                ? value
                : "'" + value.replace("\"", "\"\"").replace("'", "''") + "'";
    }
}
