package org.metasched.adapter.queue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.Settings;

/**
 * An argument vector with {@code {placeholders}} in lower-case letters; other braces are plain text. The value of a placeholder stays inside
 * its argument. Immutable.
 */
record CommandTemplate(List<String> words) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]+)\\}");

    CommandTemplate {
        words = List.copyOf(words);
    }

    /**
     * Reads the words under a key.
     *
     * @param known the placeholders that will have a value
     */
    static CommandTemplate from(Settings settings, String key, Set<String> known) {
        List<String> words = settings.texts(key);
        for (String word : words) {
            Matcher placeholder = PLACEHOLDER.matcher(word);
            while (placeholder.find()) {
                String name = placeholder.group(1);
                settings.refuseIf(
                        !known.contains(name), key, "there is no placeholder {%s} here; known are %s", name, known);
            }
        }
        return new CommandTemplate(words);
    }

    /** @param values a value for each placeholder of the words */
    List<String> filled(Map<String, String> values) {
        Function<MatchResult, String> value =
                match -> Matcher.quoteReplacement(Objects.requireNonNull(values.get(match.group(1))));
        return words.stream()
                .map(word -> PLACEHOLDER.matcher(word).replaceAll(value))
                .toList();
    }
}
