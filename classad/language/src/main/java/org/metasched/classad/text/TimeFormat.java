package org.metasched.classad.text;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.Year;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.TimeZone;

/**
 * The function strftime in the C locale, with the flags, widths and modifiers of glibc: {@code %-d}, {@code %_5H}, {@code %^a},
 * {@code %Od}. Text that is no conversion is copied.
 */
public final class TimeFormat {

    /** The letters of conversions that may follow the modifier E, and those that may not follow O. */
    private static final String AFTER_E = "cCxXyYpPrRTntuszZ%";

    private static final String NOT_AFTER_O = "aAcDFxXY";

    /** The most bytes of a result; a longer one is empty, as the reference has a buffer of this size. */
    private static final int WIDEST = 1_023;

    /**
     * A broken-down time, C's {@code struct tm} with other origins. The fields may be out of range.
     *
     * @param month from 1
     * @param day from 1
     */
    public record Fields(int year, int month, int day, int hours, int minutes, int seconds) {

        /** The fields of a time, which are in range. */
        public static Fields of(LocalDateTime t) {
            return new Fields(
                    t.getYear(), t.getMonthValue(), t.getDayOfMonth(), t.getHour(), t.getMinute(), t.getSecond());
        }

        /** The days since the day before 0001-01-01 of a day in this year (Rata Die), in the proleptic Gregorian calendar. */
        private int fixed(int ofMonth, int ofDay) {
            int before = year - 1;
            int correction = ofMonth <= 2 ? 0 : Year.isLeap(year) ? -1 : -2;
            return 365 * before
                    + before / 4
                    - before / 100
                    + before / 400
                    + (367 * ofMonth - 362) / 12
                    + correction
                    + ofDay;
        }

        /** The day of the week, 0 for Sunday. */
        int weekday() {
            return Math.floorMod(fixed(month, day), 7);
        }

        /** The day of the year, from 0. */
        int dayOfYear() {
            return fixed(month, day) - fixed(1, 1);
        }

        /** The seconds since 1970 of these fields in the system's zone; fields out of range carry over. */
        long epochSecond() {
            LocalDateTime t = LocalDate.of(Math.max(-999_999, Math.min(year, 999_999)), 1, 1)
                    .plusMonths(month - 1L)
                    .plusDays(day - 1L)
                    .atStartOfDay()
                    .plusSeconds(hours * 3600L + minutes * 60L + seconds);
            return t.atZone(ZoneId.systemDefault()).toEpochSecond();
        }

        /** The year and the week, from 1, of ISO 8601. */
        int[] isoWeek() {
            int days = daysOfIsoYear(dayOfYear());
            int length = Year.isLeap(year) ? 366 : 365;
            if (days < 0) {
                int before = Year.isLeap(year - 1L) ? 366 : 365;
                return new int[] {year - 1, daysOfIsoYear(dayOfYear() + before) / 7 + 1};
            }
            int next = daysOfIsoYear(dayOfYear() - length);
            return next >= 0 ? new int[] {year + 1, next / 7 + 1} : new int[] {year, days / 7 + 1};
        }

        /** The days since the Monday of week 1 of a year that began {@code sinceNewYear} days before this day. */
        private int daysOfIsoYear(int sinceNewYear) {
            return sinceNewYear - Math.floorMod(sinceNewYear - weekday() + 4, 7) + 3;
        }
    }

    private final Fields t;
    private final StringBuilder out = new StringBuilder();

    /** The padding flag of the current conversion: {@code 0}, {@code _} or {@code -}; NUL for its usual padding. */
    private char pad;

    /** The least width of the current conversion. */
    private int width;

    /** Whether the current conversion has the flag {@code ^}. */
    private boolean upper;

    /** Whether the current conversion has the flag {@code #}: names in upper case, am and zones in lower case. */
    private boolean otherCase;

    private TimeFormat(Fields t) {
        this.t = t;
    }

    /** The text of a time by a pattern, both byte strings; empty if it has more than 1,023 bytes. */
    public static String format(Fields time, String pattern) {
        var format = new TimeFormat(time);
        int at = 0;
        while (at < pattern.length() && format.out.length() <= WIDEST) {
            at = pattern.charAt(at) == '%' ? format.conversion(pattern, at) : format.literal(pattern, at);
        }
        return format.out.length() > WIDEST ? "" : format.out.toString();
    }

    /** Copies the character at an offset; returns the offset behind it. */
    private int literal(String pattern, int at) {
        out.append(pattern.charAt(at));
        return at + 1;
    }

    /** Appends the result of the conversion at an offset; returns the offset behind the conversion. */
    private int conversion(String pattern, int start) {
        pad = 0;
        upper = false;
        otherCase = false;
        int at = flags(pattern, start + 1);
        width = 0;
        while (at < pattern.length() && Character.isDigit(pattern.charAt(at))) {
            width = Math.min(WIDEST + 1, width * 10 + pattern.charAt(at++) - '0');
        }
        char modifier = at < pattern.length() ? pattern.charAt(at) : 0;
        boolean modified = modifier == 'E' || modifier == 'O';
        at += modified ? 1 : 0;
        char letter = at < pattern.length() ? pattern.charAt(at++) : 0;
        boolean known = allows(modified ? modifier : 0, letter) && (date(letter) || time(letter));
        if (!known) {
            text(pattern.substring(start, at));
        }
        return at;
    }

    /** Reads the flags at an offset into the fields; returns the offset behind them. */
    private int flags(String pattern, int from) {
        int at = from;
        while (at < pattern.length() && "_-0^#".indexOf(pattern.charAt(at)) >= 0) {
            char flag = pattern.charAt(at++);
            switch (flag) {
                case '^' -> upper = true;
                case '#' -> otherCase = true;
                default -> pad = flag;
            }
        }
        return at;
    }

    /** Whether a modifier, NUL for none, may stand before the letter of a conversion. */
    private static boolean allows(char modifier, char letter) {
        return switch (modifier) {
            case 'E' -> AFTER_E.indexOf(letter) >= 0;
            case 'O' -> NOT_AFTER_O.indexOf(letter) < 0;
            default -> true;
        };
    }

    /** Appends a text, padded to the width. */
    private void text(String text) {
        for (int i = text.length(); i < width; i++) {
            out.append(pad == '0' ? '0' : ' ');
        }
        out.append(upper ? Bytes.upper(text) : text);
    }

    /** Appends the name of a day or a month. */
    private void name(String name) {
        upper |= otherCase;
        text(name);
    }

    /** Appends a number with at least {@code digits} digits. */
    private void number(long number, int digits) {
        number(number, digits, '0');
    }

    /** Appends a number, padded with {@code fill} to {@code digits} characters unless a flag says otherwise. */
    private void number(long number, int digits, char fill) {
        char filler = pad == 0 ? fill : pad == '_' ? ' ' : pad;
        String size = Long.toString(Math.abs(number));
        String sign = number < 0 ? "-" : "";
        int missing = filler == '-' ? 0 : Math.max(digits, width) - size.length() - sign.length();
        String padding = (filler == ' ' ? " " : "0").repeat(Math.max(0, missing));
        text(filler == ' ' ? padding + sign + size : sign + padding + size);
    }

    /** Appends the result of several conversions as one text. */
    private void composed(String pattern) {
        text(format(t, pattern));
    }

    /** Appends a conversion that depends on the date; false if the letter is none of these. */
    private boolean date(char letter) {
        boolean known = t.month() >= 1 && t.month() <= 12;
        String month = known ? Month.of(t.month()).getDisplayName(TextStyle.FULL, Locale.ENGLISH) : "?";
        int weekday = t.weekday();
        String day = DayOfWeek.SUNDAY.plus(weekday).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
        switch (letter) {
            case 'a' -> name(day.substring(0, 3));
            case 'A' -> name(day);
            case 'b', 'h' -> name(month.substring(0, Math.min(3, month.length())));
            case 'B' -> name(month);
            case 'C' -> number(Math.floorDiv(t.year(), 100), 1);
            case 'd' -> number(t.day(), 2);
            case 'e' -> number(t.day(), 2, ' ');
            case 'D', 'x' -> composed("%m/%d/%y");
            case 'F' -> composed("%Y-%m-%d");
            case 'g' -> number(Math.floorMod(t.isoWeek()[0], 100), 2);
            case 'G' -> number(t.isoWeek()[0], 1);
            case 'j' -> number(t.dayOfYear() + 1, 3);
            case 'm' -> number(t.month(), 2);
            case 'u' -> number(weekday == 0 ? 7 : weekday, 1);
            case 'U' -> number((t.dayOfYear() + 7 - weekday) / 7, 2);
            case 'V' -> number(t.isoWeek()[1], 2);
            case 'w' -> number(weekday, 1);
            case 'W' -> number((t.dayOfYear() + 7 - (weekday + 6) % 7) / 7, 2);
            case 'y' -> number(Math.floorMod(t.year(), 100), 2);
            case 'Y' -> number(t.year(), 1);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Appends a conversion that depends on the time of day or on nothing; false if the letter is none of these. */
    private boolean time(char letter) {
        int hour12 = t.hours() > 12 ? t.hours() - 12 : t.hours() == 0 ? 12 : t.hours();
        switch (letter) {
            case 'c' -> composed("%a %b %e %H:%M:%S %Y");
            case 'H' -> number(t.hours(), 2);
            case 'I' -> number(hour12, 2);
            case 'k' -> number(t.hours(), 2, ' ');
            case 'l' -> number(hour12, 2, ' ');
            case 'M' -> number(t.minutes(), 2);
            case 'n' -> text("\n");
            case 'p' -> text(halfOfDay(otherCase));
            case 'P' -> text(halfOfDay(true));
            case 'r' -> composed("%I:%M:%S %p");
            case 'R' -> composed("%H:%M");
            case 's' -> text(Long.toString(t.epochSecond()));
            case 'S' -> number(t.seconds(), 2);
            case 't' -> text("\t");
            case 'T', 'X' -> composed("%H:%M:%S");
            // The fields have no zone: C prints the offset of Greenwich, but the name of the local zone.
            case 'z' -> text(pad == '-' ? "+0" : "+0000");
            case 'Z' -> zoneName();
            case '%' -> text("%");
            default -> {
                return false;
            }
        }
        return true;
    }

    private String halfOfDay(boolean lower) {
        if (lower) {
            upper = false;
            return t.hours() < 12 ? "am" : "pm";
        }
        return t.hours() < 12 ? "AM" : "PM";
    }

    private void zoneName() {
        String name = TimeZone.getDefault().getDisplayName(false, TimeZone.SHORT, Locale.ROOT);
        upper &= !otherCase;
        text(otherCase ? Bytes.lower(name) : name);
    }
}
