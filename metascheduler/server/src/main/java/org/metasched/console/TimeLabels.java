package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.metasched.adapter.FreeWindows.StartInterval;

/** Times and lengths as texts, in the reader's zone. */
record TimeLabels(ZoneId zone) {

    static final TimeLabels UTC = new TimeLabels(ZoneOffset.UTC);

    private static final DateTimeFormatter MINUTE = pattern("uuuu-MM-dd HH:mm");
    private static final DateTimeFormatter HOUR = pattern("HH:mm");
    private static final DateTimeFormatter DAY = pattern("EEE d MMM");
    private static final DateTimeFormatter DAY_OF_MONTH = pattern("d");

    private static DateTimeFormatter pattern(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }

    /** The labels of a named zone; UTC where no zone has the name. */
    static TimeLabels of(String zone) {
        return ZoneId.getAvailableZoneIds().contains(zone) ? new TimeLabels(ZoneId.of(zone)) : UTC;
    }

    boolean isUtc() {
        return zone.normalized().equals(ZoneOffset.UTC);
    }

    String name() {
        return isUtc() ? "UTC" : zone.getId();
    }

    /** The same time in UTC, to stand beside the reader's, with the date only if that is another day. */
    String beside(Instant instant) {
        String utc = UTC.minute(instant);
        return isUtc() ? "UTC" : (utc.startsWith(minute(instant).substring(0, 10)) ? utc.substring(11) : utc) + " UTC";
    }

    /** The time in the reader's zone and in UTC. */
    String both(Instant instant) {
        return minute(instant) + (isUtc() ? " UTC" : " (" + beside(instant) + ")");
    }

    private String as(DateTimeFormatter form, Instant instant) {
        return form.format(instant.atZone(zone));
    }

    String minute(Instant instant) {
        return as(MINUTE, instant);
    }

    String hour(Instant instant) {
        return as(HOUR, instant);
    }

    String dayOfMonth(Instant instant) {
        return as(DAY_OF_MONTH, instant);
    }

    String day(Instant instant) {
        return as(DAY, instant);
    }

    /** An interval; its end has a date only if that is another day. */
    String interval(StartInterval starts) {
        return interval(starts.earliest(), starts.latest());
    }

    String interval(Instant first, Instant last) {
        String from = minute(first);
        String to = minute(last);
        boolean isOneDay = from.substring(0, 10).equals(to.substring(0, 10));
        return from.equals(to) ? from : from + " to " + (isOneDay ? to.substring(11) : to);
    }

    static String ago(Instant then, Instant now) {
        var length = Duration.between(then, now);
        return length.toSeconds() < 1 ? "now" : length(length) + " ago";
    }

    /** A length cut to its two largest units: {@code 3 d 4 h}, {@code 12 s}. */
    static String length(Duration length) {
        long seconds = length.getSeconds();
        if (seconds >= 86_400) {
            return joined(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
        } else if (seconds >= 3600) {
            return joined(seconds / 3600, "h", seconds % 3600 / 60, "min");
        } else if (seconds >= 60) {
            return joined(seconds / 60, "min", seconds % 60, "s");
        }
        return seconds + " s";
    }

    private static String joined(long large, String unit, long small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
