package org.metasched.classad.text;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions that read and print absolute and relative times. The zone of times that name none is the system's. */
public final class Times {

    /** Seconds of a day. */
    private static final int DAY = 86_400;

    /** Seconds of about a million years: instants farther from 1970 have the calendar fields of the one at this distance. */
    private static final long FARTHEST = 31_556_889_864_403L;

    /** The result of mktime for an error. It is also the last second of 1969, which the reference therefore refuses as malformed. */
    private static final long MKTIME_FAILED = -1;

    /** A text that ends with the zone {@code +hhmm} or {@code +hh:mm}, and one that ends with the zone Z, perhaps before white space. */
    private static final Pattern OFFSET = Pattern.compile("(?s).+([+-])(\\d\\d):?(\\d\\d)");

    private static final Pattern UTC = Pattern.compile("(?s).+[zZ]\\s*");

    private Times() {}

    /**
     * An instant and the zone that it is written in.
     *
     * @param seconds since 1970-01-01T00:00:00Z
     * @param offset the zone, in seconds east of Greenwich
     */
    public record Absolute(long seconds, int offset) {}

    /** The offset of the system's zone at an instant, in seconds east of Greenwich; the instant is in seconds since 1970. */
    public static int localOffset(long seconds) {
        return ZoneId.systemDefault()
                .getRules()
                .getOffset(Instant.ofEpochSecond(near(seconds)))
                .getTotalSeconds();
    }

    /** The calendar fields of an instant in a zone: seconds since 1970, and seconds east of Greenwich. */
    public static LocalDateTime fields(long seconds, int offset) {
        return LocalDateTime.ofEpochSecond(near(seconds) + offset, 0, ZoneOffset.UTC);
    }

    /** The instant, or the nearest one that has calendar fields. */
    private static long near(long seconds) {
        return Math.max(-FARTHEST, Math.min(FARTHEST, seconds));
    }

    /**
     * Reads an absolute time as the reference does: year (four digits), month, day, hour, minute and second (two digits each), with any
     * other characters between, and perhaps a zone. Fields out of range carry over, as in mktime; a missing month is January, a missing
     * day is day 0. Null if malformed.
     */
    public static @Nullable Absolute parseAbsolute(String text) {
        Matcher zone = OFFSET.matcher(text);
        boolean hasOffset = zone.matches();
        var digits = new FieldReader(hasOffset ? text.substring(0, zone.start(1)) : text);
        if (!digits.hasYear()) {
            return null;
        }
        int year = digits.next(4, 0);
        int month = digits.next(2, 1);
        int day = digits.next(2, 0);
        int hour = digits.next(2, 0);
        int minute = digits.next(2, 0);
        int second = digits.next(2, 0);
        if (digits.hasMore()) {
            return null;
        }
        LocalDateTime at = LocalDate.of(year, 1, 1)
                .plusMonths(month - 1)
                .plusDays(day - 1)
                .atStartOfDay()
                .plusSeconds(hour * 3600L + minute * 60L + second);
        int local = ZoneId.systemDefault().getRules().getOffset(at).getTotalSeconds();
        long seconds = at.toEpochSecond(ZoneOffset.UTC);
        if (seconds - local == MKTIME_FAILED) {
            return null;
        }
        int offset = hasOffset ? offset(zone) : UTC.matcher(text).matches() ? 0 : local;
        return new Absolute(seconds - offset, offset);
    }

    /** The seconds east of Greenwich of a match of {@link #OFFSET}. */
    private static int offset(Matcher zone) {
        int size = Integer.parseInt(zone.group(2)) * 3600 + Integer.parseInt(zone.group(3)) * 60;
        return zone.group(1).equals("-") ? -size : size;
    }

    /** A reader of fields of a fixed number of digits, which skips all other characters between them. */
    private static final class FieldReader {

        private final String text;
        private int at;

        FieldReader(String text) {
            this.text = text;
            skip();
        }

        private void skip() {
            while (at < text.length() && !Bytes.isDigit(text.charAt(at))) {
                at++;
            }
        }

        /** Whether at least four characters are left. */
        boolean hasYear() {
            return at <= text.length() - 4;
        }

        boolean hasMore() {
            return at < text.length();
        }

        /** The digits at the beginning of the next {@code width} characters as a number; {@code missing} at the end of the text. */
        int next(int width, int missing) {
            if (at > text.length() - width) {
                return missing;
            }
            int value = 0;
            for (int i = at; i < at + width && Bytes.isDigit(text.charAt(i)); i++) {
                value = value * 10 + text.charAt(i) - '0';
            }
            at += width;
            skip();
            return value;
        }
    }

    /**
     * A sign, days, hours, minutes, seconds. Days, hours and minutes may be missing, in this order; the last number is the seconds. As in
     * the reference, a point needs a digit or the letter s behind it. Each {@code _} stands for white space, matched without backtracking.
     */
    private static final Pattern RELATIVE =
            Pattern.compile(("_(-?)_(?:(\\d*+)_[dD+]_)??(?:(\\d*+)_[hH:]_)??(?:(\\d*+)_[mM:]_)??"
                            + "(?:(\\d*+(?:\\.(?:\\d++|(?=_[sS])))?)_[sS]?_)?")
                    .replace("_", "[\\s\\x0B]*+"));

    /** The seconds of {@code [-][days+]hh:mm:ss[.fff]}, {@code mm:ss}, {@code ss} or {@code 1d2h3m4s}; NaN if malformed. */
    public static double parseRelative(String text) {
        Matcher parts = RELATIVE.matcher(text);
        if (!parts.matches()) {
            return Double.NaN;
        }
        double total = number(parts, 2) * DAY + number(parts, 3) * 3600 + number(parts, 4) * 60 + number(parts, 5);
        return parts.group(1).isEmpty() ? total : -total;
    }

    /** The number in a group; 0 if the group is missing or has no digits. */
    private static double number(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null || digits.isEmpty() || digits.equals(".") ? 0 : Double.parseDouble(digits);
    }

    /** An instant in a zone: {@code 2020-01-31T09:00:00+01:00}. The offset 0 is {@code -00:00}, as in the reference. */
    public static String print(long seconds, int offset) {
        LocalDateTime t = fields(seconds, offset);
        int size = Math.abs(offset);
        return String.format(
                Locale.ROOT,
                "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d",
                t.getYear(),
                t.getMonthValue(),
                t.getDayOfMonth(),
                t.getHour(),
                t.getMinute(),
                t.getSecond(),
                offset > 0 ? '+' : '-',
                size / 3600,
                size / 60 % 60);
    }

    /** A relative time as the reference writes it, {@code 1+02:03:04}; fractional seconds have six significant digits. */
    public static String printRelative(double seconds) {
        return printRelative(seconds, false);
    }

    /** A relative time that {@link #parseRelative} reads back as the same number of seconds, if it is finite. */
    public static String printRelativeExactly(double seconds) {
        return printRelative(seconds, Times.parseRelative(printRelative(seconds, false)) != seconds);
    }

    private static String printRelative(double seconds, boolean exact) {
        if (Double.isNaN(seconds) || Double.isInfinite(seconds)) {
            return seconds < 0 ? "-INF" : Double.isNaN(seconds) ? "NaN" : "INF";
        }
        double size = Math.abs(seconds);
        if (exact) {
            return (seconds < 0 ? "-" : "") + new java.math.BigDecimal(Double.toString(size)).toPlainString();
        }
        long whole = (long) size;
        double fraction = size - Math.floor(size);
        String last = fraction == 0 ? two(whole % 60) : Numbers.printShort(whole % 60 + fraction);
        String sign = seconds < 0 ? "-" : "";
        long minutes = whole / 60 % 60;
        long hours = whole / 3600 % 24;
        if (whole >= DAY) {
            return sign + whole / DAY + "+" + two(hours) + ":" + two(minutes) + ":" + last;
        }
        if (whole >= 3600) {
            return sign + two(hours) + ":" + two(minutes) + ":" + last;
        }
        return whole >= 60 ? sign + two(minutes) + ":" + last : sign + last;
    }

    private static String two(long number) {
        return number < 10 ? "0" + number : Long.toString(number);
    }
}
