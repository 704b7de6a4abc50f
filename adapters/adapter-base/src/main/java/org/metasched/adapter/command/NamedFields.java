package org.metasched.adapter.command;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;

/**
 * One row of a table, or one block of {@code key = value} lines: texts by name. Each reader refuses a text of another form, and names its
 * line. Immutable.
 *
 * @param values the texts, not copied: the caller must not change them any more
 * @param line number of the output's line at which the fields begin, from 1
 */
public record NamedFields(Map<String, String> values, int line) {

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    public NamedFields {
        values = Collections.unmodifiableMap(values);
    }

    public Set<String> names() {
        return values.keySet();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** @throws OutputFormatException when there is no such field */
    public String text(String name) {
        return find(name).orElseThrow(() -> new OutputFormatException("line " + line + ": " + name + " is missing"));
    }

    /** A text of the given form. */
    public String text(String name, Pattern form) {
        String text = text(name);
        if (!form.matcher(text).matches()) {
            throw refusal(name, "a text of the form " + form.pattern());
        }
        return text;
    }

    /** A whole number within bounds, both included. */
    public long number(String name, long least, long most) {
        String text = text(name).strip();
        if (NUMBER.matcher(text).matches()) {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw refusal(name, "a number from " + least + " to " + most);
    }

    /** An error about one field, with its line and value. */
    public OutputFormatException refusal(String name, String expected) {
        return new OutputFormatException("line " + line + ": " + name + " should be " + expected + ", not ("
                + DisplayText.of(find(name).orElse("")) + ")");
    }

    /** Throws {@link #refusal} when a field is wrong. */
    public void refuseIf(boolean wrong, String name, String expected) {
        if (wrong) {
            throw refusal(name, expected);
        }
    }

    @Override
    public String toString() {
        return "line " + line + ": " + values.keySet();
    }
}
