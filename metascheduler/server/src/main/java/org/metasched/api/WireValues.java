package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single values of requests in JSON, checked. Readers throw {@link IllegalArgumentException} with a sentence. */
final class WireValues {

    private static final int LONGEST_SHOWN = 120;
    private static final Pattern FIT_FOR_XML =
            Pattern.compile("[\\x{9}\\x{A}\\x{D}\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]*");
    private static final Pattern SHORT_DURATION =
            Pattern.compile("(?:(\\d{1,5})d)?(?:(\\d{1,6})h)?(?:(\\d{1,8})m)?(?:(\\d{1,9})s)?");

    private WireValues() {}

    /** A text for messages: short, and without control characters. */
    static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() > LONGEST_SHOWN ? clean.substring(0, LONGEST_SHOWN) + "…" : clean;
    }

    /** A path as a URI reference: an underscore stands for each other character. */
    static String path(String path) {
        return path.replaceAll("[^A-Za-z0-9/._~-]", "_");
    }

    static String text(JsonNode value, String key) {
        if (!value.isTextual() || !FIT_FOR_XML.matcher(value.textValue()).matches()) {
            throw new IllegalArgumentException(
                    "The " + key + " (" + shown(value.toString()) + ") must be a text without control characters.");
        }
        return value.textValue();
    }

    static int number(JsonNode value, String key) {
        if (!value.canConvertToExactIntegral() || !value.canConvertToInt()) {
            throw new IllegalArgumentException(
                    "The " + key + " (" + shown(value.toString()) + ") must be a whole number of 32 bits.");
        }
        return value.intValue();
    }

    static boolean isTrue(JsonNode value, String key) {
        if (!value.isBoolean()) {
            throw new IllegalArgumentException(
                    "The " + key + " (" + shown(value.toString()) + ") must be true or false.");
        }
        return value.booleanValue();
    }

    /** A duration by ISO 8601, such as {@code PT1H30M}, or short, such as {@code 1h30m}. */
    static Duration duration(String text, String key) {
        try {
            var parts = SHORT_DURATION.matcher(text);
            if (!text.isEmpty() && parts.matches()) {
                return Duration.ofDays(part(parts.group(1)))
                        .plusHours(part(parts.group(2)))
                        .plusMinutes(part(parts.group(3)))
                        .plusSeconds(part(parts.group(4)));
            }
            return Duration.parse(text);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "The " + key + " (" + shown(text) + ") must be a duration such as PT1H30M or 1h30m.");
        }
    }

    private static long part(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    static Instant time(String text, String key) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "The " + key + " (" + shown(text) + ") must be a time such as 2026-01-05T18:00:00Z.");
        }
    }
}
