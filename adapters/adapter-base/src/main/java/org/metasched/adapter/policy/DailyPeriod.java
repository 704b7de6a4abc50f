package org.metasched.adapter.policy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/**
 * A part of the day, on some days of the week, in the site's zone.
 *
 * @param from start of the part
 * @param until end of the part, on the next day unless it is after {@code from}
 * @param days days of the week on which it begins
 */
record DailyPeriod(LocalTime from, LocalTime until, Set<DayOfWeek> days) {

    static final DailyPeriod ALWAYS =
            new DailyPeriod(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, Set.of(DayOfWeek.values()));

    /** Its occurrences that overlap a span, in order. */
    List<TimeSlot> within(TimeSlot span, ZoneId zone) {
        LocalDate first = span.start().atZone(zone).toLocalDate().minusDays(1);
        return first.datesUntil(span.end().atZone(zone).toLocalDate().plusDays(1))
                .filter(day -> days.contains(day.getDayOfWeek()))
                .flatMap(day -> on(day, zone).stream())
                .filter(slot -> slot.overlaps(span))
                .toList();
    }

    /** The occurrence that begins on a day; empty if summer time leaves nothing of it. */
    private Optional<TimeSlot> on(LocalDate day, ZoneId zone) {
        Instant start = instantOf(day.atTime(from), zone);
        LocalDate lastDay = from.isBefore(until) ? day : day.plusDays(1);
        Instant end = instantOf(lastDay.atTime(until), zone);
        return start.isBefore(end) ? Optional.of(new TimeSlot(start, end)) : Optional.empty();
    }

    /** The instant of a local time; of one that summer time skips, the change to summer time. */
    private static Instant instantOf(LocalDateTime time, ZoneId zone) {
        var change = zone.getRules().getTransition(time);
        return change != null && change.isGap()
                ? change.getInstant()
                : time.atZone(zone).toInstant();
    }
}
