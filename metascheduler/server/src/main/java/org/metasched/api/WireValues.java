package org.metasched.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.text.DurationText;

/** Reads times and durations as requests write them. Readers throw {@link IllegalArgumentException} with a sentence. */
final class WireValues {

    private WireValues() {}

    /** A duration by ISO 8601, such as {@code PT1H30M}, or short, such as {@code 1h30m}. */
    static Duration duration(String text, String key) {
        return DurationText.read(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "The " + key + " (" + DisplayText.of(text) + ") must be a duration such as PT1H30M or 1h30m."));
    }

    static Instant time(String text, String key) {
        try {
            // Sites cannot compute with years of more than four digits.
            return OffsetDateTime.parse(text.matches("\\d{4}-.*") ? text : "").toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "The " + key + " (" + DisplayText.of(text) + ") must be a time such as 2026-01-05T18:00:00Z.");
        }
    }
}
