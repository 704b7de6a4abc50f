package org.metasched.adapter.policy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/**
 * A part of the day, on some days of the week, in the site's zone.
 *
 * @param from begin of the part
 * @param until end of the part, on the next day unless it is after {@code from}
 * @param days days of the week on which it begins
 */
record DailyPeriod(LocalTime from, LocalTime until, Set<DayOfWeek> days) {

    static final DailyPeriod ALWAYS =
            new DailyPeriod(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, Set.of(DayOfWeek.values()));

    /** Its occurrences that overlap a span, in order. */
    List<TimeSlot> within(TimeSlot span, ZoneId zone) {
        var slots = new ArrayList<TimeSlot>();
        LocalDate last = span.end().atZone(zone).toLocalDate();
        for (LocalDate day = span.start().atZone(zone).toLocalDate().minusDays(1);
                !day.isAfter(last);
                day = day.plusDays(1)) {
            Instant start = day.atTime(from).atZone(zone).toInstant();
            Instant end = (from.isBefore(until) ? day : day.plusDays(1))
                    .atTime(until)
                    .atZone(zone)
                    .toInstant();
            if (days.contains(day.getDayOfWeek()) && start.isBefore(end)) {
                var slot = new TimeSlot(start, end);
                if (slot.overlaps(span)) {
                    slots.add(slot);
                }
            }
        }
        return slots;
    }
}
