package org.metasched.classad.text;

import java.nio.charset.StandardCharsets;

/**
 * Byte strings. Strings of the language are bytes: sizes, order and case go by byte. Inside the language they are Java strings
 * in which every char is one byte (0 to 255), which compact strings keep in one byte each; UTF-8 text is coded and decoded
 * where it comes in and goes out.
 */
public final class Bytes {

    private Bytes() {}

    /** Java text as a byte string. */
    public static String encode(String text) {
        return isAscii(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** A byte string as Java text; bytes that are not UTF-8 become U+FFFD. */
    public static String decode(String octets) {
        return isAscii(octets)
                ? octets
                : new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    public static String decode(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.UTF_8);
    }

    public static String string(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    public static byte[] bytes(String octets) {
        return octets.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** White space as C's isspace has it. */
    public static boolean isSpace(int c) {
        return c == ' ' || c >= 9 && c <= 13;
    }

    /** Whether a byte is one of the ten digits. */
    public static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** The first offset from one on, and before another, at which there is no white space. */
    public static int afterSpace(byte[] text, int from, int end) {
        int i = from;
        while (i < end && isSpace(text[i])) {
            i++;
        }
        return i;
    }

    /** The offset behind the last byte between two offsets that is no white space. */
    public static int beforeSpace(byte[] text, int from, int end) {
        int i = end;
        while (i > from && isSpace(text[i - 1])) {
            i--;
        }
        return i;
    }

    /** The offset after the comment that begins with the slash here; the slash if none does, -1 if it has no end. */
    public static int commentEnd(byte[] text, int slash, int end) {
        int kind = slash + 1 < end ? text[slash + 1] : 0;
        int i = slash + 2;
        if (kind == '/') {
            while (i < end && text[i] != '\n') {
                i++;
            }
            return i;
        }
        if (kind != '*') {
            return slash;
        }
        while (i + 1 < end && (text[i] != '*' || text[i + 1] != '/')) {
            i++;
        }
        return i + 1 < end ? i + 2 : -1;
    }

    public static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Lower case of the ASCII letters only; the same object if nothing changes. */
    public static String lower(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (isUpper(octets.charAt(i))) {
                return mapped(octets, i, true);
            }
        }
        return octets;
    }

    /** Upper case of the ASCII letters only; the same object if nothing changes. */
    public static String upper(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (octets.charAt(i) != upper(octets.charAt(i))) {
                return mapped(octets, i, false);
            }
        }
        return octets;
    }

    private static String mapped(String octets, int from, boolean lower) {
        byte[] bytes = bytes(octets);
        for (int i = from; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            bytes[i] = (byte) (lower ? lower(c) : upper(c));
        }
        return string(bytes, 0, bytes.length);
    }

    public static char lower(char c) {
        return isUpper(c) ? (char) (c + 32) : c;
    }

    public static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    private static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** Order by the bytes of the texts with ASCII letters in lower case: -1, 0 or 1. */
    public static int compareIgnoringCase(String a, String b) {
        int n = Math.min(a.length(), b.length());
        for (int i = 0; i < n; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                x = lower(x);
                y = lower(y);
                if (x != y) {
                    return x < y ? -1 : 1;
                }
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    public static boolean equalIgnoringCase(String a, String b) {
        return a.length() == b.length() && compareIgnoringCase(a, b) == 0;
    }

    /** Order by byte: -1, 0 or 1. */
    public static int compare(String a, String b) {
        return Integer.signum(a.compareTo(b));
    }
}
