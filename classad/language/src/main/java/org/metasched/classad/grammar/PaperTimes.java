package org.metasched.classad.grammar;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Value;

/**
 * A reader of times in single quotes, as the papers of 2000 and 2003 print them: {@code '00:23:12'} and {@code '9:00'} (hours first) are
 * spans, {@code 'Mon Feb 28 14:22:22 2000 (CST) -06:00'} is an instant.
 */
final class PaperTimes {

    /** Characters of a time at most; a longer text is a quoted name. */
    private static final int LONGEST_TIME = 60;

    /** A span: perhaps days, hours, minutes, and perhaps seconds. */
    private static final Pattern CLOCK = Pattern.compile("(?:(\\d{1,6})\\+)?(\\d{1,2}):(\\d{2})(?::(\\d{2}))?");
    /** An instant: perhaps the day of the week, month, day, time, year, perhaps the name of a zone, and perhaps its offset. */
    private static final Pattern DATE = Pattern.compile(
            "(?:[A-Za-z]{3} )?([A-Za-z]{3}) +(\\d{1,2}) (\\d{2}):(\\d{2}):(\\d{2}) (\\d{4})(?: \\([A-Za-z]+\\))?(?: ([+-]\\d{2}:?\\d{2}))?");

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private PaperTimes() {}

    /** The span or instant that a quoted text stands for; null if the text is a quoted name, or the time is malformed. */
    static @Nullable Value parse(String text) {
        if (text.length() > LONGEST_TIME) {
            return null;
        }
        var clock = CLOCK.matcher(text);
        if (clock.matches()) {
            return new Value.RelTime(number(clock.group(1)) * 86_400
                    + number(clock.group(2)) * 3600
                    + number(clock.group(3)) * 60
                    + number(clock.group(4)));
        }
        var date = DATE.matcher(text);
        if (!date.matches()) {
            return null;
        }
        int month = MONTHS.indexOf(date.group(1).toLowerCase(Locale.ROOT)) + 1;
        String zone = date.group(7) == null ? "" : date.group(7);
        return month == 0
                ? null
                : TimeLiterals.instant(String.format(
                        Locale.ROOT,
                        "%s-%02d-%02dT%s:%s:%s%s",
                        date.group(6),
                        month,
                        Integer.parseInt(date.group(2)),
                        date.group(3),
                        date.group(4),
                        date.group(5),
                        zone));
    }

    /** The number of some digits, 0 for null. */
    private static double number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
