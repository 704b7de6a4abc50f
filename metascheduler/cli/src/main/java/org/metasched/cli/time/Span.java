package org.metasched.cli.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Reads a span of time: {@code 90m}, {@code 2h30m}, {@code 1d}, {@code 1.5h}, or ISO-8601 such as {@code PT1H30M}. */
public final class Span {

    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7));
    private static final Pattern PART = Pattern.compile(
            "\\G *(?<count>\\d{1,9})(\\.(?<tenth>\\d))? *(?<unit>s|m|h|d|w)(ec(ond)?s?|in(ute)?s?|(ou)?rs?|ays?|eeks?)?(?![a-z])");
    private static final Pattern WHOLE = Pattern.compile("( *\\d{1,9}(\\.\\d)? *[a-z]+)+");
    private static final Pattern JOINED = Pattern.compile("(?<=[a-z])(?=\\d)");

    private Span() {}

    /** @throws TypeConversionException when the text says no span */
    public static Duration read(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        try {
            return lower.startsWith("p") || lower.startsWith("-p") ? Duration.parse(lower) : sum(text, lower);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static Duration sum(String text, String lower) {
        String spaced = JOINED.matcher(lower).replaceAll(" ");
        if (!WHOLE.matcher(spaced).matches()) {
            throw wrong(text);
        }
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
        if (end != spaced.length()) {
            throw wrong(text);
        }
        return sum;
    }

    private static TypeConversionException wrong(String text) {
        return new TypeConversionException(
                "(" + text + ") must be a span of time with its units, such as 90m, 2h30m, 1d or PT1H30M.");
    }
}
