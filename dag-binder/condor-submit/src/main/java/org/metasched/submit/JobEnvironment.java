package org.metasched.submit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.metasched.submit.ArgumentList.QuotingException;

/**
 * The environment of a job, read from either of condor's two syntaxes. In the old one, semicolons divide the entries, or another delimiter
 * with which the value begins. The new one is in double quotes; blanks divide its entries, and single quotes protect blanks. A later entry
 * of the same name wins. Immutable.
 */
public final class JobEnvironment {

    /** No variables at all. */
    public static final JobEnvironment EMPTY = new JobEnvironment(Map.of(), List.of());

    private static final String DELIMITERS = "!#$%&*+,-/:;<>?@^`|~";

    private final Map<String, String> variables;
    /** Entries that are {@code $$()} macros without an equals sign, each for variables of the matched machine. */
    private final List<String> macros;

    private JobEnvironment(Map<String, String> variables, List<String> macros) {
        this.variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        this.macros = List.copyOf(macros);
    }

    /** The environment with these variables. */
    public static JobEnvironment of(Map<String, String> variables) {
        return new JobEnvironment(variables, List.of());
    }

    /**
     * Reads a value in either syntax.
     *
     * @throws IllegalArgumentException if an entry has no name or no equals sign, or a quote does not close
     */
    public static JobEnvironment parse(String text) {
        return of(entries(text));
    }

    /**
     * The entries of a value in either syntax, unquoted and in the order of the text, whether or not they are assignments.
     *
     * @throws IllegalArgumentException if a quote does not close
     */
    public static List<String> entries(String text) {
        try {
            return ArgumentList.isQuoted(text) ? ArgumentList.split(ArgumentList.unquote(text)) : splitOld(text);
        } catch (QuotingException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Whether a value is in the new syntax, with its double quotes. */
    public static boolean isNewSyntax(String text) {
        return ArgumentList.isQuoted(text);
    }

    /**
     * Reads the text of a ClassAd attribute, where the new syntax has no quotes around it. Text without a semicolon is in the new syntax
     * if every word is an assignment; other text is in the old one.
     *
     * @throws IllegalArgumentException as {@link #parse} does
     */
    public static JobEnvironment parseAttribute(String text) {
        if (!ArgumentList.isQuoted(text) && text.indexOf(';') < 0) {
            try {
                List<String> words = ArgumentList.split(text);
                if (words.stream().allMatch(word -> word.indexOf('=') > 0)) {
                    return of(words);
                }
            } catch (QuotingException e) {
                // In the old syntax, a single quote is an ordinary character.
            }
        }
        return parse(text);
    }

    private static JobEnvironment of(List<String> entries) {
        Map<String, String> variables = new LinkedHashMap<>();
        List<String> macros = new ArrayList<>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            if (equals < 0 && entry.contains("$$")) {
                macros.add(entry);
            } else if (equals < 0) {
                throw new IllegalArgumentException("ERROR: Missing '=' after environment variable '" + entry + "'.");
            } else if (equals == 0) {
                throw new IllegalArgumentException("ERROR: missing variable in '" + entry + "'.");
            } else {
                variables.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return new JobEnvironment(variables, macros);
    }

    /** Entries of the old syntax; blanks before an entry are dropped, empty entries too. */
    static List<String> splitOld(String text) {
        boolean own = !text.isEmpty() && DELIMITERS.indexOf(text.charAt(0)) >= 0;
        String delimiter = own ? text.substring(0, 1) : ";";
        return Stream.of(text.substring(own ? 1 : 0).split("\\n|" + Pattern.quote(delimiter)))
                .map(String::stripLeading)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /** The variables in the order of the text. */
    public Map<String, String> variables() {
        return variables;
    }

    /** This environment with the variables of another; the other's win. */
    public JobEnvironment with(JobEnvironment other) {
        Map<String, String> both = new LinkedHashMap<>(variables);
        both.putAll(other.variables);
        return new JobEnvironment(
                both, Stream.concat(macros.stream(), other.macros.stream()).toList());
    }

    /** The new syntax without outer quotes, sorted by name: the attribute {@code Environment} of a job ad. */
    public String toAttribute() {
        return ArgumentList.join(sorted());
    }

    private List<String> sorted() {
        TreeMap<String, String> sorted = new TreeMap<>();
        variables.forEach((name, value) -> sorted.put(name, name + "=" + value));
        macros.forEach(macro -> sorted.put(macro, macro));
        return List.copyOf(sorted.values());
    }

    /** The new syntax with its double quotes: the value of {@code environment} in a submit description. */
    public String toSubmitValue() {
        return "\"" + toAttribute().replace("\"", "\"\"") + "\"";
    }

    /** The old syntax, {@code A=1;B=2}, sorted by name; refused if it cannot express a value. */
    String toOldAttribute() {
        for (String entry : sorted()) {
            if (entry.indexOf(';') >= 0 || entry.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("Environment entry is not compatible with V1 syntax: " + entry);
            }
        }
        return String.join(";", sorted());
    }
}
