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

/** An argument vector with {@code {placeholders}} in lower-case letters; other braces are plain text. A value never becomes more than one argument. Immutable. */
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
                if (!known.contains(placeholder.group(1))) {
                    throw settings.invalid(
                            key, "there is no placeholder {" + placeholder.group(1) + "} here; known are " + known);
                }
            }
        }
        return new CommandTemplate(words);
    }

    List<String> filled(Map<String, String> values) {
        Function<MatchResult, String> value =
                match -> Matcher.quoteReplacement(Objects.requireNonNull(values.get(match.group(1))));
        return words.stream()
                .map(word -> PLACEHOLDER.matcher(word).replaceAll(value))
                .toList();
    }
}
