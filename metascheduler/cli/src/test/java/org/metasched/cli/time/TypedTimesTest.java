package org.metasched.cli.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TypedTimesTest {

    /** A Sunday afternoon in Berlin, an hour ahead of UTC. */
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-22T15:30:00.5Z"), ZoneId.of("Europe/Berlin"));

    @ParameterizedTest
    @CsvSource({
        "90m, PT90M",
        "2h30m, PT2H30M",
        "2h 30min, PT2H30M",
        "1d, P1D",
        "1.5h, PT90M",
        "1 week, P7D",
        "45s, PT45S",
        "2 Hours, PT2H",
        "PT1H, PT1H",
        "p1dt2h, PT26H"
    })
    void readsSpans(String text, Duration meaning) {
        assertThat(DurationArgument.read(text)).isEqualTo(meaning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "90", "h", "1x", "1h30", "1hm", "-1h", "1h, 2m", "PT", "1.55h", "99999999999h"})
    void refusesWhatIsNoSpan(String text) {
        assertThatThrownBy(() -> DurationArgument.read(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("(" + text + ") must be a span of time");
    }

    @ParameterizedTest
    @CsvSource({
        "now, 2026-11-22T15:30:00Z",
        "+2h, 2026-11-22T17:30:00Z",
        "18:00, 2026-11-22T17:00:00Z",
        "8:00, 2026-11-23T07:00:00Z",
        "tomorrow 18:00, 2026-11-23T17:00:00Z",
        "Tomorrow noon, 2026-11-23T11:00:00Z",
        "tomorrow, 2026-11-22T23:00:00Z",
        "monday 8:00, 2026-11-23T07:00:00Z",
        "sun 8:00, 2026-11-29T07:00:00Z",
        "tomorrow 18:00 UTC, 2026-11-23T18:00:00Z",
        "tomorrow 18:00 America/New_York, 2026-11-23T23:00:00Z",
        "2030-01-05 16:00, 2030-01-05T15:00:00Z",
        "2030-01-05T16:00, 2030-01-05T15:00:00Z",
        "2030-07-05 16:00 +00:00, 2030-07-05T16:00:00Z"
    })
    void readsTimesInTheZoneOfTheClockOrTheirOwn(String text, Instant meaning) {
        var moment = TimeArgument.read(text, CLOCK);

        assertThat(moment.instant()).isEqualTo(meaning);
        assertThat(moment.exact()).isFalse();
        // In UTC the one is the other, and is said once.
        assertThat(moment.explanation()).contains("(" + text + ") is ").containsOnlyOnce(meaning.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2030-01-05T16:00:00Z", "2030-01-05T17:00:00+01:00", "2030-01-05T17:00+01:00[Europe/Berlin]"})
    void aTimeWithAnOffsetNeedsNotBeSaidBack(String text) {
        var moment = TimeArgument.read(text, CLOCK);

        assertThat(moment.instant()).isEqualTo(Instant.parse("2030-01-05T16:00:00Z"));
        assertThat(moment.exact()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "soon", "tomorrow 25:00", "tomorrow at 6", "18", "UTC", "2030-13-01", "mo 8:00", "a b c"})
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> TimeArgument.read(text, CLOCK))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("(" + text + ") must be a time");
    }
}
