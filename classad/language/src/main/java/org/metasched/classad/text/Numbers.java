package org.metasched.classad.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions that read and print numbers as C does, by {@code strtoll}, {@code strtod} and {@code printf}. */
public final class Numbers {

    /** The powers of ten that doubles hold exactly. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    /** The most digits of which every integer fits 64 bits. */
    public static final int SAFE_DIGITS = 18;

    private static final Pattern REAL_PREFIX = Pattern.compile("[ \\t\\n\\x0B\\f\\r]*([+-]?)"
            + "(0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
            + "|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[iI][nN][fF]|[nN][aA][nN])");

    private Numbers() {}

    /** The integer in {@code text[from..to)}: digits, perhaps after a minus. 0 if it does not fit 64 bits, as in the reference. */
    public static long parseInteger(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        int i = negative ? from + 1 : from;
        if (to - i <= SAFE_DIGITS) {
            long value = 0;
            for (; i < to; i++) {
                value = value * 10 + (text[i] - '0');
            }
            return negative ? -value : value;
        }
        try {
            return Long.parseLong(Bytes.string(text, from, to));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * The real in {@code text[from..to)}, which must be well-formed. Fast for at most 15 digits without an exponent: the digits and the
     * power of ten are then exact as doubles, so that their quotient is rounded correctly.
     */
    public static double parseReal(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        int i = negative ? from + 1 : from;
        long digits = 0;
        int scale = 0;
        boolean point = false;
        for (; i < to; i++) {
            int c = text[i];
            if (c == '.') {
                point = true;
            } else if (c >= '0' && c <= '9' && digits < 100_000_000_000_000L) {
                digits = digits * 10 + (c - '0');
                scale += point ? 1 : 0;
            } else {
                return Double.parseDouble(Bytes.string(text, from, to));
            }
        }
        if (scale >= POWERS.length) {
            return Double.parseDouble(Bytes.string(text, from, to));
        }
        double value = digits / POWERS[scale];
        return negative ? -value : value;
    }

    /** The real that a text begins with, as strtod reads it: decimal, hexadecimal, INF or NaN. Null if it begins with none. */
    public static @Nullable Double prefix(String text) {
        var decimal = REAL_PREFIX.matcher(text);
        if (!decimal.lookingAt()) {
            return null;
        }
        String sign = decimal.group(1);
        String body = Bytes.lower(decimal.group(2));
        double size;
        if (body.startsWith("inf")) {
            size = Double.POSITIVE_INFINITY;
        } else if (body.startsWith("nan")) {
            size = Double.NaN;
        } else if (body.startsWith("0x")) {
            size = Double.parseDouble(body.indexOf('p') >= 0 ? body : body + "p0");
        } else {
            size = Double.parseDouble(body);
        }
        return sign.equals("-") ? -size : size;
    }

    /** A real in the new syntax: as printf {@code %.15E}, but {@code 0.0} or {@code -0.0}, {@code real("NaN")}, {@code real("INF")}. */
    public static String printNew(double value) {
        if (value == 0.0) {
            return 1 / value < 0 ? "-0.0" : "0.0";
        }
        if (Double.isNaN(value)) {
            return "real(\"NaN\")";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "real(\"INF\")" : "real(\"-INF\")";
        }
        return exponential(value, 15);
    }

    /** A real in the long form: as printf {@code %.16G}, with {@code .0} behind an integer; zero, NaN and INF as {@link #printNew}. */
    public static String printOld(double value) {
        if (isSpecial(value)) {
            return printNew(value);
        }
        String text = general(value, 16);
        return text.indexOf('.') >= 0 || text.indexOf('E') >= 0 ? text : text + ".0";
    }

    /** Like {@link #printNew}, with a seventeenth digit if the number would not be read back as the same without it. */
    public static String printNewExactly(double value) {
        String text = printNew(value);
        return isSpecial(value) || Double.parseDouble(text) == value ? text : exponential(value, 16);
    }

    /** Like {@link #printOld}, with a seventeenth digit if the number would not be read back as the same without it. */
    public static String printOldExactly(double value) {
        String text = printOld(value);
        return isSpecial(value) || Double.parseDouble(text) == value ? text : general(value, 17);
    }

    /** Whether a real is printed by name rather than by its digits: zero, NaN or infinite. */
    private static boolean isSpecial(double value) {
        return value == 0.0 || Double.isNaN(value) || Double.isInfinite(value);
    }

    /** A finite number as printf {@code %02g}: six significant digits, at least two characters. */
    public static String printShort(double value) {
        String text = value == 0.0 ? "0" : general(value, 6).replace('E', 'e');
        return text.length() < 2 ? "0" + text : text;
    }

    /** A finite number other than zero as printf {@code %.nE}. */
    private static String exponential(double value, int decimals) {
        var rounded = new BigDecimal(value).round(new MathContext(decimals + 1, RoundingMode.HALF_EVEN));
        String digits = rounded.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - rounded.scale();
        var out = new StringBuilder(value < 0 ? "-" : "");
        out.append(digits.charAt(0)).append('.').append(digits, 1, Math.min(digits.length(), decimals + 1));
        out.append("0".repeat(Math.max(0, decimals + 1 - digits.length())));
        appendExponent(out, exponent);
        return out.toString();
    }

    private static void appendExponent(StringBuilder out, int exponent) {
        int size = Math.abs(exponent);
        out.append(exponent < 0 ? "E-" : "E+").append(size < 10 ? "0" : "").append(size);
    }

    /** A finite number other than zero as printf {@code %.nG}. */
    private static String general(double value, int precision) {
        var rounded = new BigDecimal(value)
                .round(new MathContext(precision, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        String digits = rounded.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - rounded.scale();
        var out = new StringBuilder(value < 0 ? "-" : "");
        if (exponent < -4 || exponent >= precision) {
            out.append(digits.charAt(0));
            if (digits.length() > 1) {
                out.append('.').append(digits, 1, digits.length());
            }
            appendExponent(out, exponent);
        } else {
            out.append(rounded.abs().toPlainString());
        }
        return out.toString();
    }
}
