package org.metasched.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One mapping of a configuration file, read by key. A method that finds a value of another kind than its own throws
 * {@link InvalidSettingException} with the {@code file:line:column} of the value.
 */
public interface Settings {

    /** The place where this mapping begins: {@code file:line:column}. */
    String where();

    /** The keys that are there. */
    Set<String> keys();

    /**
     * The text under a key; empty if the key is missing.
     *
     * @throws InvalidSettingException if the value is no text
     */
    Optional<String> text(String key);

    /**
     * The whole number under a key; empty if the key is missing.
     *
     * @throws InvalidSettingException if the value is no whole number of 32 bits
     */
    Optional<Integer> number(String key);

    /**
     * The truth value under a key; empty if the key is missing.
     *
     * @throws InvalidSettingException if the value is neither true nor false
     */
    Optional<Boolean> flag(String key);

    /**
     * The duration under a key, in ISO 8601 ({@code PT30S}) or with a unit ({@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}); empty if
     * the key is missing.
     */
    Optional<Duration> duration(String key);

    /** The texts of a sequence, or the single text as a list of one; empty when the key is missing. */
    List<String> texts(String key);

    /**
     * The mapping under a key; empty if the key is missing.
     *
     * @throws InvalidSettingException if the value is no mapping
     */
    Optional<Settings> section(String key);

    /** The mappings of a sequence; empty when the key is missing. */
    List<Settings> sections(String key);

    /** Refuses every key but these, naming the nearest of them ("did you mean"). */
    void allowOnly(Set<String> known);

    /** An error about one key of this mapping, with the place of its value. */
    InvalidSettingException invalid(String key, String problem);

    /**
     * Throws {@link #invalid} if {@code wrong}.
     *
     * @param problem a format string for the values
     */
    default void refuseIf(boolean wrong, String key, String problem, Object... values) {
        if (wrong) {
            throw invalid(key, String.format(Locale.ROOT, problem, values));
        }
    }

    /**
     * The duration under a key, longer than zero.
     *
     * @param usual the duration if the key is missing
     */
    default Duration positiveDuration(String key, Duration usual) {
        Duration value = duration(key).orElse(usual);
        refuseIf(value.isZero() || value.isNegative(), key, "expected a positive duration, not (%s)", value);
        return value;
    }

    /**
     * The duration under a key, which may be zero.
     *
     * @param usual the duration if the key is missing
     */
    default Duration notNegativeDuration(String key, Duration usual) {
        Duration value = duration(key).orElse(usual);
        refuseIf(value.isNegative(), key, "expected a duration that is not negative, not (%s)", value);
        return value;
    }

    /**
     * The whole number under a key, at least 1.
     *
     * @param usual the number if the key is missing
     */
    default int atLeastOne(String key, int usual) {
        int value = number(key).orElse(usual);
        refuseIf(value < 1, key, "expected at least 1, not (%s)", value);
        return value;
    }

    /** The whole number under a key, both bounds included; empty if the key is missing. */
    default Optional<Integer> number(String key, int least, int most) {
        Optional<Integer> value = number(key);
        value.ifPresent(n -> refuseIf(n < least || n > most, key, "expected %s to %s, not (%s)", least, most, n));
        return value;
    }

    /** The text under a key, which must be one of the words; the first word if the key is missing. */
    default String oneOf(String key, String... words) {
        String word = text(key).orElse(words[0]);
        String last = words[words.length - 1];
        String expected = String.join(", ", words).replace(", " + last, " or " + last);
        refuseIf(!List.of(words).contains(word), key, "expected %s, not (%s)", expected, word);
        return word;
    }

    /** The result of reading a value; an {@link IllegalArgumentException} of the reading becomes an error at the value under the key. */
    default <T> T checked(String key, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw invalid(key, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The file or folder that is named under a key; empty if the key is missing. {@code ~/} stands for the home of the user who runs the
     * program; any other relative name begins in the directory in which it runs.
     */
    default Optional<Path> path(String key) {
        return text(key)
                .map(name -> checked(
                        key,
                        () -> name.startsWith("~/")
                                ? Path.of(System.getProperty("user.home"), name.substring(2))
                                : Path.of(name)));
    }

    /** The {@link #path} under a key, which must be there. */
    default Path requiredPath(String key) {
        return path(key).orElseThrow(() -> missing(key));
    }

    /** The file of a secret, named under a key; empty if the key is missing. {@code metasched doctor} checks that others cannot read it. */
    default Optional<Path> secretFile(String key) {
        return path(key);
    }

    /** The secret in a file that is named under a key; empty if the key is missing. */
    default Optional<String> secret(String key) {
        Optional<Path> file = secretFile(key);
        try {
            return file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Files.readString(file.get()).strip());
        } catch (IOException e) {
            throw invalid(key, "the file (" + file.get() + ") cannot be read");
        }
    }

    /** The text under a key, which must be there. */
    default String requiredText(String key) {
        return text(key).orElseThrow(() -> missing(key));
    }

    private InvalidSettingException missing(String key) {
        return new InvalidSettingException(where() + ": the setting '" + key + "' is missing here.");
    }
}
