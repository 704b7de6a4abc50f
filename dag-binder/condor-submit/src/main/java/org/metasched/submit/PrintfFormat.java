package org.metasched.submit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One C format, {@code %04d} or {@code %-8.2f}, with text around it. */
record PrintfFormat(String before, String flags, String width, String precision, char conversion, String after) {

    private static final Pattern FORM =
            Pattern.compile("([^%]*)%([-+ 0#]*)(\\d{0,3})(?:\\.(\\d{0,3}))?(?:hh|h|ll|l|z|j)?([diuxXofFeEgGs])([^%]*)");

    /** The format; empty if the text is none, or has several. */
    static Optional<PrintfFormat> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(new PrintfFormat(
                parts.group(1),
                parts.group(2),
                parts.group(3),
                parts.group(4),
                parts.group(5).charAt(0),
                parts.group(6)));
    }

    PrintfFormat {
        precision = precision == null ? "" : precision.isEmpty() ? "0" : precision;
    }

    boolean isInteger() {
        return "diuxXo".indexOf(conversion) >= 0;
    }

    boolean isReal() {
        return "fFeEgG".indexOf(conversion) >= 0;
    }

    boolean isText() {
        return conversion == 's';
    }

    String format(long value) {
        String digits = switch (conversion) {
            case 'x' -> Long.toHexString(value);
            case 'X' -> Long.toHexString(value).toUpperCase(Locale.ROOT);
            case 'o' -> Long.toOctalString(value);
            case 'u' -> Long.toUnsignedString(value);
            default -> Long.toUnsignedString(Math.abs(value));
        };
        int least = precision.isEmpty() ? 1 : Integer.parseInt(precision);
        digits = "0".repeat(Math.max(0, least - digits.length())) + digits;
        String sign = conversion == 'd' || conversion == 'i' ? sign(value < 0) : "";
        if (flags.contains("#") && value != 0) {
            sign = conversion == 'x' || conversion == 'X' ? "0" + conversion : sign;
            digits = conversion == 'o' && !digits.startsWith("0") ? "0" + digits : digits;
        }
        return before + padded(sign, digits, precision.isEmpty()) + after;
    }

    String format(double value) {
        String digits = conversion == 'g' || conversion == 'G'
                ? general(Math.abs(value))
                : String.format(
                        Locale.ROOT,
                        "%." + (precision.isEmpty() ? "6" : precision) + (conversion == 'F' ? 'f' : conversion),
                        Math.abs(value));
        return before + padded(sign(value < 0), digits, true) + after;
    }

    String format(String value) {
        int most = precision.isEmpty() ? value.length() : Integer.parseInt(precision);
        return before + padded("", value.substring(0, Math.min(most, value.length())), false) + after;
    }

    private String sign(boolean negative) {
        return negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    }

    private String padded(String sign, String digits, boolean mayZero) {
        int missing = (width.isEmpty() ? 0 : Integer.parseInt(width)) - sign.length() - digits.length();
        if (missing <= 0) {
            return sign + digits;
        }
        if (flags.contains("-")) {
            return sign + digits + " ".repeat(missing);
        }
        return mayZero && flags.contains("0")
                ? sign + "0".repeat(missing) + digits
                : " ".repeat(missing) + sign + digits;
    }

    /** C's {@code %g}: as many significant digits as the precision says, without trailing zeros. */
    private String general(double value) {
        int digits = precision.isEmpty() ? 6 : Math.max(1, Integer.parseInt(precision));
        if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
            return value == 0 ? "0" : String.valueOf(value).toUpperCase(Locale.ROOT);
        }
        var rounded = new BigDecimal(value)
                .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        String text = exponent < -4 || exponent >= digits
                ? rounded.movePointLeft(exponent).toPlainString() + String.format(Locale.ROOT, "e%+03d", exponent)
                : rounded.toPlainString();
        return conversion == 'G' ? text.toUpperCase(Locale.ROOT) : text;
    }
}
