package org.metasched.submit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.submit.MacroExpander.MacroException;

/** Settings of a description, expanded, as the makers of job attributes ask for them. */
record SubmitSettings(MacroTable table, MacroExpander expander, String file) {

    /** The expanded value of the first of these names that is set or has a default; empty if the value is blank or there is none. */
    Optional<String> get(String... names) throws SubmitException {
        for (String name : names) {
            String raw = table.lookup(name);
            if (raw != null) {
                table.foundAs(name, names[0]);
                String value = expand(name, raw);
                return value.isEmpty() ? Optional.empty() : Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /** The text with its macros expanded; an error names the setting. */
    String expand(String name, String raw) throws SubmitException {
        try {
            return expander.expand(raw);
        } catch (MacroException e) {
            throw error(name, String.valueOf(e.getMessage()));
        }
    }

    boolean isSet(String... names) throws SubmitException {
        return get(names).isPresent();
    }

    /** The truth value of the first of these settings that is set; {@code otherwise} if none has a value. */
    boolean truth(boolean otherwise, String... names) throws SubmitException {
        Optional<String> value = get(names);
        if (value.isEmpty()) {
            return otherwise;
        }
        return SubmitNumbers.truth(value.get())
                .orElseThrow(
                        () -> error(names[0], names[0] + "=" + value.get() + " is invalid, must eval to a boolean."));
    }

    /** The whole number of the first of these settings that is set; empty if none has a value. */
    Optional<Long> integer(String... names) throws SubmitException {
        Optional<String> value = get(names);
        Optional<Long> number = value.flatMap(SubmitNumbers::integer);
        if (value.isPresent() && number.isEmpty()) {
            throw error(names[0], names[0] + "=" + value.get() + " is invalid, must eval to an integer.");
        }
        return number;
    }

    List<String> names() {
        return table.names();
    }

    /** Throws {@link #error} if {@code wrong}; the reason is a format for the values. */
    void refuseIf(boolean wrong, String name, String reason, Object... values) throws SubmitException {
        if (wrong) {
            throw error(name, String.format(Locale.ROOT, reason, values));
        }
    }

    /** An error about a setting, placed on its line if that is known. */
    SubmitException error(String name, String reason) {
        return new SubmitException(file, table.line(name), reason);
    }
}
