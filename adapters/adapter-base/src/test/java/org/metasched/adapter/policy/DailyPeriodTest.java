package org.metasched.adapter.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.TimeSlot;

class DailyPeriodTest {

    /** At Berlin, 02:00 to 03:00 is skipped on 29 March 2026, and comes twice on 25 October. */
    @ParameterizedTest
    @CsvSource({
        "02:30, 06:00, 2026-03-29T01:00:00Z, 2026-03-29T04:00:00Z",
        "22:00, 02:30, 2026-03-28T21:00:00Z, 2026-03-29T01:00:00Z",
        "02:30, 03:15, 2026-03-29T01:00:00Z, 2026-03-29T01:15:00Z",
        "01:00, 04:00, 2026-10-24T23:00:00Z, 2026-10-25T03:00:00Z"
    })
    void aTimeThatSummerTimeSkipsIsTheChange(LocalTime from, LocalTime until, Instant start, Instant end) {
        var period = new DailyPeriod(from, until, Set.of(DayOfWeek.values()));

        var all = period.within(new TimeSlot(start.minusSeconds(1), end.plusSeconds(1)), ZoneId.of("Europe/Berlin"));

        assertThat(all).containsExactly(new TimeSlot(start, end));
    }

    @Test
    void nothingIsLeftOfASkippedPeriod() {
        var period = new DailyPeriod(LocalTime.of(2, 10), LocalTime.of(2, 50), Set.of(DayOfWeek.SUNDAY));
        var day = new TimeSlot(Instant.parse("2026-03-28T23:00:00Z"), Instant.parse("2026-03-29T22:00:00Z"));

        assertThat(period.within(day, ZoneId.of("Europe/Berlin"))).isEmpty();
    }
}
