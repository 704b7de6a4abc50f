package org.metasched.adapter.pbs;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/**
 * Occurrences of a standing reservation by its iCalendar rule (RFC 5545): all of them, and more where the rule has parts that are not read
 * here. An occurrence too many hides a free start; an occurrence too few causes a refusal in each round.
 *
 * @param rule rule such as {@code FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10}
 * @param zone time zone of its hours
 */
record PbsRecurrence(String rule, ZoneId zone) {

    /** Most steps, and most occurrences. */
    private static final int MOST = 10_000;

    private static final DateTimeFormatter UNTIL = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss['Z']", Locale.ROOT);
    private static final Map<String, DayOfWeek> DAYS = Map.of(
            "MO", DayOfWeek.MONDAY,
            "TU", DayOfWeek.TUESDAY,
            "WE", DayOfWeek.WEDNESDAY,
            "TH", DayOfWeek.THURSDAY,
            "FR", DayOfWeek.FRIDAY,
            "SA", DayOfWeek.SATURDAY,
            "SU", DayOfWeek.SUNDAY);

    static PbsRecurrence of(String rule, Optional<String> zone) {
        try {
            return new PbsRecurrence(rule, zone.isPresent() ? ZoneId.of(zone.get()) : ZoneOffset.UTC);
        } catch (DateTimeException unknownZone) {
            return new PbsRecurrence(rule, ZoneOffset.UTC);
        }
    }

    /** The slot itself and those after it that begin before the given instant. */
    List<TimeSlot> from(TimeSlot next, Instant until) {
        Map<String, String> parts = parts();
        Set<DayOfWeek> days = days(parts.getOrDefault("BYDAY", ""));
        long most = Math.min(MOST, number(parts.getOrDefault("COUNT", ""), MOST));
        Instant end = parts.containsKey("UNTIL") ? TimeSlot.earlier(until, afterLast(parts.get("UNTIL"))) : until;
        Duration length = next.length();
        var slots = new ArrayList<TimeSlot>(List.of(next));
        ZonedDateTime start = next.start().atZone(zone);
        LocalTime time = start.toLocalTime();
        for (int i = 0; i < MOST && slots.size() < most; i++) {
            start = step(start, time, parts, !days.isEmpty());
            if (!start.toInstant().isBefore(end)) {
                break;
            }
            if (days.isEmpty() || days.contains(start.getDayOfWeek())) {
                slots.add(TimeSlot.of(start.toInstant(), length));
            }
        }
        return slots;
    }

    /**
     * The next candidate.
     *
     * @param time time of day of all occurrences; summer time may have moved that of {@code start}
     * @param namesDays whether the rule names days of the week, so that each day is a candidate
     */
    private static ZonedDateTime step(
            ZonedDateTime start, LocalTime time, Map<String, String> parts, boolean namesDays) {
        String frequency = parts.getOrDefault("FREQ", "DAILY");
        long interval = Math.max(1, number(parts.getOrDefault("INTERVAL", ""), 1));
        boolean hasOtherParts = parts.keySet().stream().anyMatch(key -> key.startsWith("BY") && !key.equals("BYDAY"));
        if (frequency.equals("HOURLY") || parts.containsKey("BYHOUR")) {
            return start.plusHours(hasOtherParts ? 1 : interval);
        } else if (frequency.equals("DAILY")) {
            return start.plusDays(hasOtherParts || namesDays ? 1 : interval).with(time);
        } else if (frequency.equals("WEEKLY") && !hasOtherParts && !namesDays) {
            return start.plusWeeks(interval).with(time);
        }
        // Monthly, yearly, or weekly on certain days: all occurrences are at the same hour of some day.
        return start.plusDays(1).with(time);
    }

    private Map<String, String> parts() {
        var parts = new HashMap<String, String>();
        for (String part : rule.split(";", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(
                        part.substring(0, equals).strip(),
                        part.substring(equals + 1).strip());
            }
        }
        return parts;
    }

    private static Set<DayOfWeek> days(String text) {
        var days = EnumSet.noneOf(DayOfWeek.class);
        for (String word : text.split(",", -1)) {
            // "2MO" is the second Monday of a month: any Monday will do here.
            DayOfWeek day = word.length() < 2 ? null : DAYS.get(word.substring(word.length() - 2));
            if (day != null) {
                days.add(day);
            }
        }
        return days;
    }

    /** The instant from which no occurrence begins; the latest instant if the text cannot be read. */
    private Instant afterLast(String last) {
        try {
            var time = last.length() > 8
                    ? LocalDateTime.parse(last, UNTIL)
                    : LocalDate.parse(last, DateTimeFormatter.BASIC_ISO_DATE).atTime(LocalTime.MAX);
            return time.atZone(last.endsWith("Z") ? ZoneOffset.UTC : zone)
                    .toInstant()
                    .plusSeconds(1);
        } catch (DateTimeException unreadable) {
            return Instant.MAX;
        }
    }

    private static long number(String text, long otherwise) {
        return text.matches("\\d{1,9}") ? Long.parseLong(text) : otherwise;
    }
}
