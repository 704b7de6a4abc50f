package org.metasched.classad;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.IsoFields;
import org.jspecify.annotations.Nullable;

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

    private final LocalDateTime t;
    private final StringBuilder out = new StringBuilder();

    private TimeFormat(LocalDateTime t) {
        this.t = t;
    }

    static String format(LocalDateTime time, String pattern) {
        var format = new TimeFormat(time);
        format.all(pattern);
        return format.out.toString();
    }

    /** Year, month, day, hours, minutes, seconds; null if they are no calendar time. */
    static @Nullable LocalDateTime fields(long[] f) {
        try {
            return LocalDate.of(Math.toIntExact(f[0]), 1, 1)
                    .plusMonths(f[1] - 1)
                    .plusDays(f[2] - 1)
                    .atStartOfDay()
                    .plusHours(f[3])
                    .plusMinutes(f[4])
                    .plusSeconds(f[5]);
        } catch (DateTimeException | ArithmeticException outOfRange) {
            return null;
        }
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

    private int weekday() {
        return t.getDayOfWeek().getValue() % 7;
    }

    private boolean date(char letter) {
        String month = MONTHS[t.getMonthValue() - 1];
        switch (letter) {
            case 'a' -> out.append(DAYS[weekday()], 0, 3);
            case 'A' -> out.append(DAYS[weekday()]);
            case 'b', 'h' -> out.append(month, 0, 3);
            case 'B' -> out.append(month);
            case 'C' -> padded(Math.floorDiv(t.getYear(), 100), 2, '0');
            case 'd' -> padded(t.getDayOfMonth(), 2, '0');
            case 'e' -> padded(t.getDayOfMonth(), 2, ' ');
            case 'D', 'x' -> all("%m/%d/%y");
            case 'F' -> all("%Y-%m-%d");
            case 'g' -> padded(t.get(IsoFields.WEEK_BASED_YEAR) % 100, 2, '0');
            case 'G' -> out.append(t.get(IsoFields.WEEK_BASED_YEAR));
            case 'j' -> padded(t.getDayOfYear(), 3, '0');
            case 'm' -> padded(t.getMonthValue(), 2, '0');
            case 'u' -> out.append(t.getDayOfWeek().getValue());
            case 'U' -> padded((t.getDayOfYear() + 6 - weekday()) / 7, 2, '0');
            case 'V' -> padded(t.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, '0');
            case 'w' -> out.append(weekday());
            case 'W' -> padded((t.getDayOfYear() + 6 - (weekday() + 6) % 7) / 7, 2, '0');
            case 'y' -> padded(Math.floorMod(t.getYear(), 100), 2, '0');
            case 'Y' -> out.append(t.getYear());
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean time(char letter) {
        int hour12 = (t.getHour() + 11) % 12 + 1;
        switch (letter) {
            case 'c' -> all("%a %b %e %H:%M:%S %Y");
            case 'H' -> padded(t.getHour(), 2, '0');
            case 'I' -> padded(hour12, 2, '0');
            case 'k' -> padded(t.getHour(), 2, ' ');
            case 'l' -> padded(hour12, 2, ' ');
            case 'M' -> padded(t.getMinute(), 2, '0');
            case 'n' -> out.append('\n');
            case 'p' -> out.append(t.getHour() < 12 ? "AM" : "PM");
            case 'P' -> out.append(t.getHour() < 12 ? "am" : "pm");
            case 'r' -> all("%I:%M:%S %p");
            case 'R' -> all("%H:%M");
            case 's' -> out.append(t.toEpochSecond(java.time.ZoneOffset.UTC));
            case 'S' -> padded(t.getSecond(), 2, '0');
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
