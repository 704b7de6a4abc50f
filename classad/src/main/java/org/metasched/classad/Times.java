package org.metasched.classad;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Absolute and relative times: their texts and their arithmetic. */
final class Times {

    private static final int DAY = 86_400;

    /** About a million years: instants beyond are shown as this one. */
    private static final long FARTHEST = 31_556_889_864_403L;

    /** What mktime returns for an error, and for the last second of 1969: the reference takes that one for malformed. */
    private static final long MKTIME_FAILED = -1;

    private Times() {}

    /**
     * The literal that {@code absTime("...")} or {@code relTime("...")} is, {@link Literal#ERROR} if the text is malformed, null
     * for other functions.
     */
    static @Nullable Literal literal(Name function, String text, Dialect dialect) {
        if (function.is("abstime")) {
            Value.AbsTime time = parseAbsolute(text);
            return time == null ? Literal.ERROR : new Literal(time);
        }
        if (function.is("reltime")) {
            double seconds = parseRelative(text);
            if (Double.isNaN(seconds)) {
                return Literal.ERROR;
            }
            // The reference makes a real of it; in the papers' dialect a span of time is a span of time.
            return dialect == Dialect.PAPER ? new Literal(new Value.RelTime(seconds)) : Literal.relativeTime(seconds);
        }
        return null;
    }

    /** The zone's offset at an instant, in seconds east. */
    static int localOffset(long seconds) {
        return ZoneId.systemDefault()
                .getRules()
                .getOffset(Instant.ofEpochSecond(near(seconds)))
                .getTotalSeconds();
    }

    static Value.AbsTime local(long seconds) {
        return new Value.AbsTime(seconds, localOffset(seconds));
    }

    /** The calendar fields of an instant in a zone. */
    static LocalDateTime fields(long seconds, int offset) {
        return LocalDateTime.ofEpochSecond(near(seconds) + offset, 0, ZoneOffset.UTC);
    }

    private static long near(long seconds) {
        return Math.max(-FARTHEST, Math.min(FARTHEST, seconds));
    }

    /**
     * Digits grouped as year, month, day, hour, minute, second, whatever stands between them, and perhaps a zone. Fields out of
     * range carry over, as mktime does it; a missing day counts as day 0. Null if malformed.
     */
    static Value.@Nullable AbsTime parseAbsolute(String text) {
        Integer zone = zone(text);
        String body = zone == null ? text : text.substring(0, text.length() - zoneLength(text));
        var digits = new FieldReader(body);
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
        int offset = zone != null ? zone : local;
        return new Value.AbsTime(seconds - offset, offset);
    }

    /** The length of an offset that ends a text; {@code Z} is no digit and may stay. */
    private static int zoneLength(String text) {
        if (!isDigit(text.charAt(text.length() - 1))) {
            return 0;
        }
        return text.charAt(text.length() - 3) == ':' ? 6 : 5;
    }

    /** The offset that ends a text: {@code Z}, {@code +hhmm} or {@code +hh:mm}. */
    private static @Nullable Integer zone(String text) {
        int n = text.length();
        int last = n - 1;
        while (last > 0 && Lexer.isSpace(text.charAt(last))) {
            last--;
        }
        if (last > 0 && Bytes.lower(text.charAt(last)) == 'z') {
            return 0;
        }
        for (int length = 5; length <= 6 && length < n; length++) {
            String tail = text.substring(n - length);
            if (tail.matches(length == 5 ? "[+-]\\d{4}" : "[+-]\\d\\d:\\d\\d")) {
                int hours = Integer.parseInt(tail.substring(1, 3));
                int minutes = Integer.parseInt(tail.substring(length - 2));
                int offset = hours * 3600 + minutes * 60;
                return tail.charAt(0) == '-' ? -offset : offset;
            }
        }
        return null;
    }

    /** Runs of digits, taken a few at a time. */
    private static final class FieldReader {

        private final String text;
        private int at;

        FieldReader(String text) {
            this.text = text;
            skip();
        }

        private void skip() {
            while (at < text.length() && !isDigit(text.charAt(at))) {
                at++;
            }
        }

        boolean hasYear() {
            return at <= text.length() - 4;
        }

        boolean hasMore() {
            return at < text.length();
        }

        int next(int width, int missing) {
            if (at > text.length() - width) {
                return missing;
            }
            int value = 0;
            for (int i = at; i < at + width && isDigit(text.charAt(i)); i++) {
                value = value * 10 + text.charAt(i) - '0';
            }
            at += width;
            skip();
            return value;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** {@code [-][days+]hh:mm:ss[.fff]}, {@code mm:ss}, {@code ss}, or {@code 1d2h3m4s}; NaN if malformed. Read from its end. */
    static double parseRelative(String text) {
        var r = new BackwardReader(text);
        double seconds = r.seconds();
        double minutes = r.unit('m', ':');
        double hours = r.unit('h', ':');
        double days = r.unit('d', '+');
        boolean negative = r.takes('-', '-');
        if (!r.isDone()) {
            return Double.NaN;
        }
        double total = days * DAY + hours * 3600 + minutes * 60 + seconds;
        return negative ? -total : total;
    }

    private static final class BackwardReader {

        private final String text;
        private int at;

        BackwardReader(String text) {
            this.text = text;
            this.at = text.length() - 1;
        }

        private void skip() {
            while (at >= 0 && Lexer.isSpace(text.charAt(at))) {
                at--;
            }
        }

        boolean isDone() {
            skip();
            return at < 0;
        }

        boolean takes(char unit, char separator) {
            skip();
            if (at >= 0 && (Bytes.lower(text.charAt(at)) == unit || text.charAt(at) == separator)) {
                at--;
                return true;
            }
            return false;
        }

        private void skipDigits() {
            while (at >= 0 && isDigit(text.charAt(at))) {
                at--;
            }
        }

        double seconds() {
            skip();
            if (at < 0 || Bytes.lower(text.charAt(at)) != 's' && !isDigit(text.charAt(at))) {
                return 0;
            }
            takes('s', 's');
            skip();
            int end = at + 1;
            skipDigits();
            if (at >= 0 && text.charAt(at) == '.') {
                at--;
                skipDigits();
            }
            return number(end);
        }

        double unit(char unit, char separator) {
            if (!takes(unit, separator)) {
                return 0;
            }
            skip();
            int end = at + 1;
            skipDigits();
            return number(end);
        }

        private double number(int end) {
            String digits = text.substring(at + 1, end);
            return digits.isEmpty() || digits.equals(".") ? 0 : Double.parseDouble(digits);
        }
    }

    static String print(Value.AbsTime time) {
        LocalDateTime t = fields(time.seconds(), time.offset());
        int offset = Math.abs(time.offset());
        return "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d"
                .formatted(
                        t.getYear(),
                        t.getMonthValue(),
                        t.getDayOfMonth(),
                        t.getHour(),
                        t.getMinute(),
                        t.getSecond(),
                        time.offset() > 0 ? '+' : '-',
                        offset / 3600,
                        offset / 60 % 60);
    }

    /** As the reference writes it, with six significant digits of broken seconds. */
    static String printRelative(double seconds) {
        return printRelative(seconds, false);
    }

    /** Exact: reads back as the same number of seconds. */
    static String printRelativeExactly(double seconds) {
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

    /** {@code + - * /} where at least one operand is no number. */
    static Value arithmetic(BinaryOperator operator, Value a, Value b) {
        return switch (operator) {
            case ADD -> sum(a, b, 1);
            case SUBTRACT -> difference(a, b);
            case MULTIPLY -> {
                if (a instanceof Value.RelTime t && isNumber(b)) {
                    yield new Value.RelTime(t.seconds() * b.rank());
                }
                yield b instanceof Value.RelTime t && isNumber(a)
                        ? new Value.RelTime(a.rank() * t.seconds())
                        : Value.ERROR;
            }
            case DIVIDE ->
                a instanceof Value.RelTime t && isNumber(b) ? new Value.RelTime(t.seconds() / b.rank()) : Value.ERROR;
            default -> Value.ERROR;
        };
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real;
    }

    /** The relative part is cut to whole seconds when an instant moves by it. */
    private static Value sum(Value a, Value b, int sign) {
        if (a instanceof Value.AbsTime t && b instanceof Value.RelTime span) {
            return new Value.AbsTime(t.seconds() + sign * (long) span.seconds(), t.offset());
        }
        if (a instanceof Value.RelTime span && b instanceof Value.AbsTime t && sign > 0) {
            return new Value.AbsTime((long) span.seconds() + t.seconds(), t.offset());
        }
        return a instanceof Value.RelTime x && b instanceof Value.RelTime y
                ? new Value.RelTime(x.seconds() + sign * y.seconds())
                : Value.ERROR;
    }

    private static Value difference(Value a, Value b) {
        return a instanceof Value.AbsTime x && b instanceof Value.AbsTime y
                ? new Value.RelTime(x.seconds() - y.seconds())
                : sum(a, b, -1);
    }
}
