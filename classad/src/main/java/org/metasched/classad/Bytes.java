package org.metasched.classad;

import java.nio.charset.StandardCharsets;

/**
 * Byte strings. Strings of the language are bytes: sizes, order and case go by byte. Inside this package they are Java strings
 * in which every char is one byte (0 to 255), which compact strings keep in one byte each; UTF-8 text is coded and decoded
 * where it comes in and goes out.
 */
final class Bytes {

    private Bytes() {}

    /** Java text as a byte string. */
    static String encode(String text) {
        return isAscii(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** A byte string as Java text; bytes that are not UTF-8 become U+FFFD. */
    static String decode(String octets) {
        return isAscii(octets)
                ? octets
                : new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    static String decode(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.UTF_8);
    }

    static String string(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    static byte[] bytes(String octets) {
        return octets.getBytes(StandardCharsets.ISO_8859_1);
    }

    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Lower case of the ASCII letters only; the same object if nothing changes. */
    static String lower(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (isUpper(octets.charAt(i))) {
                return mapped(octets, i, true);
            }
        }
        return octets;
    }

    /** Upper case of the ASCII letters only; the same object if nothing changes. */
    static String upper(String octets) {
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

    static char lower(char c) {
        return isUpper(c) ? (char) (c + 32) : c;
    }

    static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    private static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** Order by the bytes of the texts with ASCII letters in lower case: -1, 0 or 1. */
    static int compareIgnoringCase(String a, String b) {
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

    static boolean equalIgnoringCase(String a, String b) {
        return a.length() == b.length() && compareIgnoringCase(a, b) == 0;
    }

    /** Order by byte: -1, 0 or 1. */
    static int compare(String a, String b) {
        return Integer.signum(a.compareTo(b));
    }
}
