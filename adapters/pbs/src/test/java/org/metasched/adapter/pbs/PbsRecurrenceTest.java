package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.TimeSlot;

class PbsRecurrenceTest {

    /** A Saturday. */
    private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");

    @Test
    void comesAgainByItsRule() {
        assertThat(starts("FREQ=DAILY;COUNT=3", 30)).containsExactly(day(0), day(1), day(2));
        assertThat(starts("FREQ=WEEKLY;INTERVAL=2", 30)).containsExactly(day(0), day(14), day(28));
        assertThat(starts("FREQ=WEEKLY;BYDAY=SA,MO", 10)).containsExactly(day(0), day(2), day(7), day(9));
        assertThat(starts("FREQ=HOURLY;INTERVAL=6", 1)).hasSize(4);
    }

    @Test
    void endsWithItsLastDay() {
        assertThat(starts("FREQ=DAILY;UNTIL=20261123T090000Z", 30)).containsExactly(day(0), day(1), day(2));
        assertThat(starts("FREQ=DAILY;UNTIL=20261123T085959", 30)).containsExactly(day(0), day(1));
        assertThat(starts("FREQ=DAILY;UNTIL=20261123", 30)).containsExactly(day(0), day(1), day(2));
        assertThat(starts("FREQ=DAILY;UNTIL=soon", 3)).containsExactly(day(0), day(1), day(2));
    }

    @Test
    void whereTheRuleIsFinerNoneIsMissed() {
        assertThat(starts("FREQ=MONTHLY;BYMONTHDAY=24", 10)).contains(day(3));
        assertThat(starts("FREQ=MONTHLY;BYDAY=4MO", 10)).contains(day(2));
        assertThat(starts("nonsense", 3)).contains(day(0), day(1), day(2));
        assertThat(starts("FREQ=DAILY;BYHOUR=9,13", 1)).contains(NINE.plus(Duration.ofHours(4)));
    }

    @Test
    void keepsTheHourOfItsZoneWhenSummerTimeEnds() {
        var friday = TimeSlot.of(Instant.parse("2026-10-23T07:00:00Z"), Duration.ofHours(1));
        var slots = PbsRecurrence.of("FREQ=DAILY", Optional.of("Europe/Berlin"))
                .from(friday, friday.start().plus(Duration.ofDays(4)));

        assertThat(slots).extracting(TimeSlot::start).contains(Instant.parse("2026-10-26T08:00:00Z"));
    }

    /** On 29 March there is no 02:30. */
    @Test
    void returnsToItsHourAfterTheDayOnWhichSummerTimeSkipsIt() {
        var friday = TimeSlot.of(Instant.parse("2026-03-27T01:30:00Z"), Duration.ofHours(1));
        for (var rule : List.of("FREQ=DAILY", "FREQ=MONTHLY", "FREQ=WEEKLY;BYDAY=FR,SU,MO")) {
            var slots = PbsRecurrence.of(rule, Optional.of("Europe/Berlin"))
                    .from(friday, friday.start().plus(Duration.ofDays(4)));

            assertThat(slots).extracting(TimeSlot::start).contains(Instant.parse("2026-03-30T00:30:00Z"));
        }
    }

    @Test
    void aStandingReservationBlocksItsLaterOccurrences() {
        var output = new PbsOutput(new org.metasched.adapter.command.SiteClock(java.time.ZoneOffset.UTC));

        var standing = output.reservations("""
                        Resv ID: S12.pbs
                        Reserve_Name = maintenance
                        reserve_state = RESV_CONFIRMED
                        reserve_start = Sat Nov 21 09:00:00 2026
                        reserve_end = Sat Nov 21 10:00:00 2026
                        reserve_rrule = FREQ=DAILY;COUNT=5
                        Variable_List = PBS_O_HOST=head1,PBS_TZID=Europe/Berlin
                        resv_nodes = (n0:ncpus=4)

                        """).get(0);

        assertThat(standing.recurrence().orElseThrow().from(standing.slot(), NINE.plus(Duration.ofDays(9))))
                .hasSize(5);
        assertThat(standing.recurrence().orElseThrow().zone()).isEqualTo(java.time.ZoneId.of("Europe/Berlin"));
    }

    private static List<Instant> starts(String rule, int days) {
        return PbsRecurrence.of(rule, Optional.empty())
                .from(TimeSlot.of(NINE, Duration.ofHours(1)), NINE.plus(Duration.ofDays(days)))
                .stream()
                .map(TimeSlot::start)
                .toList();
    }

    private static Instant day(int number) {
        return NINE.plus(Duration.ofDays(number));
    }
}
