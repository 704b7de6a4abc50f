package org.metasched.classad;

import java.util.Map;
import java.util.function.IntPredicate;

/** Comparison of version numbers in natural order, as glibc's strverscmp defines it. */
final class VersionFunctions {

    private VersionFunctions() {}

    static void addTo(Map<String, Functions.Entry> table) {
        Functions.add(table, "versioncmp", 2, 2, (e, a) -> compared(a));
        Functions.add(table, "versionlt", 2, 2, (e, a) -> tested(a, c -> c < 0));
        Functions.add(table, "versionle", 2, 2, (e, a) -> tested(a, c -> c <= 0));
        Functions.add(table, "versiongt", 2, 2, (e, a) -> tested(a, c -> c > 0));
        Functions.add(table, "versionge", 2, 2, (e, a) -> tested(a, c -> c >= 0));
        Functions.add(table, "versioneq", 2, 2, (e, a) -> tested(a, c -> c == 0));
        Functions.add(table, "version_in_range", 3, 3, (e, a) -> inRange(a));
    }

    private static Value compared(Value[] a) {
        Value x = Functions.asText(a[0]);
        Value y = Functions.asText(a[1]);
        Value exceptional = Functions.undefinedFirst(x, y);
        return exceptional != null ? exceptional : Value.of((long) compare(Functions.octets(x), Functions.octets(y)));
    }

    private static Value tested(Value[] a, IntPredicate test) {
        Value compared = compared(a);
        return compared instanceof Value.Int i ? Value.of(test.test((int) i.value())) : compared;
    }

    private static Value inRange(Value[] a) {
        Value version = Functions.asText(a[0]);
        Value least = Functions.asText(a[1]);
        Value most = Functions.asText(a[2]);
        if (least == Value.UNDEFINED || most == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        if (version.isExceptional() || least == Value.ERROR || most == Value.ERROR) {
            return Value.ERROR;
        }
        String v = Functions.octets(version);
        return Value.of(compare(Functions.octets(least), v) <= 0 && compare(v, Functions.octets(most)) <= 0);
    }

    /**
     * Negative, 0 or positive: the difference of the bytes that decide, of the numbers of digits, or of leading zeros. Runs of
     * digits compare as numbers, except that a run with leading zeros is a fraction, of which more zeros come first:
     * {@code 1.01 < 1.010 < 1.09 < 1.1}.
     */
    static int compare(String a, String b) {
        int common = 0;
        int shorter = Math.min(a.length(), b.length());
        while (common < shorter && a.charAt(common) == b.charAt(common)) {
            common++;
        }
        if (common == a.length() && common == b.length()) {
            return 0;
        }
        int start = common;
        while (start > 0 && isDigit(a, start - 1)) {
            start--;
        }
        if (start == common && !(isDigit(a, common) && isDigit(b, common))) {
            return bytes(a, b, common);
        }
        int zerosA = leadingZeros(a, start);
        int zerosB = leadingZeros(b, start);
        if (zerosA != zerosB) {
            return zerosB - zerosA;
        }
        int longer = digits(a, start) - digits(b, start);
        return zerosA > 0 || longer == 0 ? bytes(a, b, common) : longer;
    }

    /** Zeros at an offset that another digit follows. */
    private static int leadingZeros(String text, int from) {
        int i = from;
        while (isDigit(text, i + 1) && text.charAt(i) == '0') {
            i++;
        }
        return i - from;
    }

    private static int digits(String text, int from) {
        int i = from;
        while (isDigit(text, i)) {
            i++;
        }
        return i - from;
    }

    /** As the reference's signed char: bytes beyond ASCII come first. */
    private static int bytes(String a, String b, int at) {
        int x = at < a.length() ? (byte) a.charAt(at) : 0;
        int y = at < b.length() ? (byte) b.charAt(at) : 0;
        return x - y;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
