package org.metasched.classad;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.temporal.IsoFields;

/** strftime in the C locale. */
final class TimeFormat {

    private static final String[] DAYS = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    private static final String[] MONTHS = {
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December"
    };

    /** A broken-down time as C has it: nothing says that the fields are in range. */
    record Fields(int year, int month, int day, int hours, int minutes, int seconds) {

        static Fields of(LocalDateTime t) {
            return new Fields(
                    t.getYear(), t.getMonthValue(), t.getDayOfMonth(), t.getHour(), t.getMinute(), t.getSecond());
        }

        /** Days since the day before 0001-01-01, by the arithmetic of the proleptic Gregorian calendar. */
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

        /** From 0 for Sunday. */
        int weekday() {
            return Math.floorMod(fixed(month, day), 7);
        }

        /** From 1. */
        int dayOfYear() {
            return fixed(month, day) - fixed(1, 1) + 1;
        }

        LocalDate date() {
            return LocalDate.of(Math.max(-9999, Math.min(year, 9999)), 1, 1).plusDays(dayOfYear() - 1L);
        }
    }

    private final Fields t;
    private final StringBuilder out = new StringBuilder();

    private TimeFormat(Fields t) {
        this.t = t;
    }

    static String format(Fields time, String pattern) {
        var format = new TimeFormat(time);
        format.all(pattern);
        return format.out.toString();
    }

    private void all(String pattern) {
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%' || i + 1 == pattern.length()) {
                out.append(c);
                continue;
            }
            char letter = pattern.charAt(++i);
            if ((letter == 'E' || letter == 'O') && i + 1 < pattern.length()) {
                letter = pattern.charAt(++i);
            }
            if (!date(letter) && !time(letter)) {
                out.append('%').append(letter);
            }
        }
    }

    private void padded(long number, int width, char fill) {
        String digits = Long.toString(Math.abs(number));
        if (number < 0) {
            out.append('-');
        }
        for (int i = digits.length(); i < width; i++) {
            out.append(fill);
        }
        out.append(digits);
    }

    private boolean date(char letter) {
        String month = t.month() >= 1 && t.month() <= 12 ? MONTHS[t.month() - 1] : "???";
        int weekday = t.weekday();
        switch (letter) {
            case 'a' -> out.append(DAYS[weekday], 0, 3);
            case 'A' -> out.append(DAYS[weekday]);
            case 'b', 'h' -> out.append(month, 0, 3);
            case 'B' -> out.append(month);
            case 'C' -> padded(Math.floorDiv(t.year(), 100), 2, '0');
            case 'd' -> padded(t.day(), 2, '0');
            case 'e' -> padded(t.day(), 2, ' ');
            case 'D', 'x' -> all("%m/%d/%y");
            case 'F' -> all("%Y-%m-%d");
            case 'g' -> padded(t.date().get(IsoFields.WEEK_BASED_YEAR) % 100, 2, '0');
            case 'G' -> out.append(t.date().get(IsoFields.WEEK_BASED_YEAR));
            case 'j' -> padded(t.dayOfYear(), 3, '0');
            case 'm' -> padded(t.month(), 2, '0');
            case 'u' -> out.append((weekday == 0 ? 7 : weekday));
            case 'U' -> padded((t.dayOfYear() + 6 - weekday) / 7, 2, '0');
            case 'V' -> padded(t.date().get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, '0');
            case 'w' -> out.append(weekday);
            case 'W' -> padded((t.dayOfYear() + 6 - (weekday + 6) % 7) / 7, 2, '0');
            case 'y' -> padded(Math.floorMod(t.year(), 100), 2, '0');
            case 'Y' -> out.append(t.year());
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean time(char letter) {
        int hour12 = Math.floorMod(t.hours() + 11, 12) + 1;
        switch (letter) {
            case 'c' -> all("%a %b %e %H:%M:%S %Y");
            case 'H' -> padded(t.hours(), 2, '0');
            case 'I' -> padded(hour12, 2, '0');
            case 'k' -> padded(t.hours(), 2, ' ');
            case 'l' -> padded(hour12, 2, ' ');
            case 'M' -> padded(t.minutes(), 2, '0');
            case 'n' -> out.append('\n');
            case 'p' -> out.append(t.hours() < 12 ? "AM" : "PM");
            case 'P' -> out.append(t.hours() < 12 ? "am" : "pm");
            case 'r' -> all("%I:%M:%S %p");
            case 'R' -> all("%H:%M");
            case 's' ->
                out.append(t.date().toEpochDay() * 86_400 + t.hours() * 3600L + t.minutes() * 60L + t.seconds());
            case 'S' -> padded(t.seconds(), 2, '0');
            case 't' -> out.append('\t');
            case 'T', 'X' -> all("%H:%M:%S");
            case 'z' -> out.append("+0000");
            case 'Z' -> out.append("GMT");
            case '%' -> out.append('%');
            default -> {
                return false;
            }
        }
        return true;
    }
}
