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
     * Negative, 0 or positive: the difference of the bytes, or of the numbers of digits, that decide. Runs of digits compare as numbers, except that a run with leading zeros is a fraction: {@code 1.01 < 1.010 < 1.09 < 1.1}
     * and more leading zeros come first.
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
        boolean digitA = isDigit(a, common);
        boolean digitB = isDigit(b, common);
        boolean inNumber = start < common;
        boolean fraction = startsFraction(a, b, start, common);
        if (fraction) {
            return fractions(a, b, start, common);
        }
        if (digitA && digitB || inNumber && (digitA || digitB)) {
            int lengthA = run(a, common);
            int lengthB = run(b, common);
            if (lengthA != lengthB) {
                return lengthA - lengthB;
            }
        }
        return bytes(a, b, common);
    }

    private static boolean startsFraction(String a, String b, int start, int common) {
        if (start < common) {
            return a.charAt(start) == '0';
        }
        return isDigit(a, common) && isDigit(b, common) && (a.charAt(common) == '0' || b.charAt(common) == '0');
    }

    /** Of two fractions, one that is still in its leading zeros comes before one that has other digits, and after none. */
    private static int fractions(String a, String b, int start, int common) {
        boolean onlyZeros = true;
        for (int i = start; i < common; i++) {
            onlyZeros &= a.charAt(i) == '0';
        }
        boolean digitA = isDigit(a, common);
        boolean digitB = isDigit(b, common);
        if (onlyZeros && start < common && digitA != digitB) {
            return digitA ? -1 : 1;
        }
        return bytes(a, b, common);
    }

    private static int bytes(String a, String b, int at) {
        int x = at < a.length() ? a.charAt(at) : 0;
        int y = at < b.length() ? b.charAt(at) : 0;
        return x - y;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private static int run(String text, int from) {
        int i = from;
        while (isDigit(text, i)) {
            i++;
        }
        return i - from;
    }
}
