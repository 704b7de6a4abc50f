package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.metasched.adapter.FreeWindows.StartInterval;

/** TimeLabels as people read them, in UTC. */
final class TimeLabels {

    private static final DateTimeFormatter MINUTE = pattern("uuuu-MM-dd HH:mm");
    private static final DateTimeFormatter SECOND = pattern("uuuu-MM-dd HH:mm:ss");
    private static final DateTimeFormatter HOUR = pattern("HH:mm");
    private static final DateTimeFormatter DAY = pattern("EEE d MMM");

    private static final DateTimeFormatter DAY_OF_MONTH = pattern("d");

    private TimeLabels() {}

    private static DateTimeFormatter pattern(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }

    static String minute(Instant instant) {
        return MINUTE.format(instant);
    }

    static String second(Instant instant) {
        return SECOND.format(instant);
    }

    static String hour(Instant instant) {
        return HOUR.format(instant);
    }

    static String dayOfMonth(Instant instant) {
        return DAY_OF_MONTH.format(instant);
    }

    static String day(Instant instant) {
        return DAY.format(instant);
    }

    /** The day of the end only if it is another. */
    static String interval(StartInterval starts) {
        String from = minute(starts.earliest());
        String to = minute(starts.latest());
        boolean isOneDay = from.substring(0, 10).equals(to.substring(0, 10));
        return from.equals(to) ? from : from + " to " + (isOneDay ? to.substring(11) : to);
    }

    static String ago(Instant then, Instant now) {
        var length = Duration.between(then, now);
        return length.toSeconds() < 1 ? "now" : length(length) + " ago";
    }

    /** Rounded to its two largest units: {@code 3 d 4 h}, {@code 12 s}. */
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
