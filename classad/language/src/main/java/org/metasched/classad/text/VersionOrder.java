package org.metasched.classad.text;

/** The natural order of version numbers, as glibc's strverscmp defines it. */
public final class VersionOrder {

    private VersionOrder() {}

    /**
     * Compares two versions, which are byte strings; negative, 0 or positive, as strverscmp has it. Runs of digits compare as numbers,
     * except that a run with leading zeros compares as the digits behind a decimal point: {@code 1.01 < 1.010 < 1.09 < 1.1}.
     */
    public static int compare(String a, String b) {
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

    /** The number of zeros from an offset on, without one that ends the run of digits. */
    private static int leadingZeros(String text, int from) {
        int i = from;
        while (isDigit(text, i + 1) && text.charAt(i) == '0') {
            i++;
        }
        return i - from;
    }

    /** The number of digits from an offset on. */
    private static int digits(String text, int from) {
        int i = from;
        while (isDigit(text, i)) {
            i++;
        }
        return i - from;
    }

    /** The difference of the bytes at an offset as the reference's signed chars: those beyond ASCII come first. The end is a 0. */
    private static int bytes(String a, String b, int at) {
        int x = at < a.length() ? (byte) a.charAt(at) : 0;
        int y = at < b.length() ? (byte) b.charAt(at) : 0;
        return x - y;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
