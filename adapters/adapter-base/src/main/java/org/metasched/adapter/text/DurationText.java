package org.metasched.adapter.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 90m}, {@code 2h30m}, {@code 1d}, {@code 1.5h}, or ISO-8601 such as {@code PT1H30M}. */
public final class DurationText {

    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7));
    private static final Pattern PART = Pattern.compile(
            "\\G *(?<count>\\d{1,9})(\\.(?<tenth>\\d))? *(?<unit>ms|s|m|h|d|w)(ec(ond)?s?|in(ute)?s?|(ou)?rs?|ays?|eeks?)?(?![a-z])");
    private static final Pattern WHOLE = Pattern.compile("( *\\d{1,9}(\\.\\d)? *[a-z]+)++");
    private static final Pattern JOINED = Pattern.compile("(?<=[a-z])(?=\\d)");

    private DurationText() {}

    /** Reads a duration; empty if the text is none. */
    public static Optional<Duration> read(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        try {
            return lower.startsWith("p") || lower.startsWith("-p") ? Optional.of(Duration.parse(lower)) : sum(lower);
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> sum(String lower) {
        String spaced = JOINED.matcher(lower).replaceAll(" ");
        var sum = Duration.ZERO;
        int end = 0;
        var parts = PART.matcher(spaced);
        while (parts.find()) {
            Duration unit = Objects.requireNonNull(UNITS.get(parts.group("unit")), "a unit of the pattern");
            sum = sum.plus(unit.multipliedBy(Long.parseLong(parts.group("count"))));
            sum = parts.group("tenth") == null
                    ? sum
                    : sum.plus(unit.dividedBy(10).multipliedBy(Long.parseLong(parts.group("tenth"))));
            end = parts.end();
        }
        return end == spaced.length() && WHOLE.matcher(spaced).matches() ? Optional.of(sum) : Optional.empty();
    }
}
