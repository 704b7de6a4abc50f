package org.metasched.classad.text;

import java.nio.charset.StandardCharsets;

/**
 * Functions of byte strings. Strings of the language are bytes: their sizes, order and case are those of bytes. A <em>byte string</em>
 * is a Java string in which every char is one byte (0 to 255); the JVM's compact strings keep it in one byte each. Java text becomes a
 * byte string where it enters the language, by UTF-8, and text again where it leaves.
 */
public final class Bytes {

    private Bytes() {}

    /** The byte string of the UTF-8 bytes of a Java text; the same object if that is ASCII. */
    public static String encode(String text) {
        return isAscii(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** The Java text of a byte string of UTF-8; bytes that are not UTF-8 become U+FFFD. The same object if that is ASCII. */
    public static String decode(String octets) {
        return isAscii(octets)
                ? octets
                : new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** The Java text of the UTF-8 bytes {@code text[start..end)}; bytes that are not UTF-8 become U+FFFD. */
    public static String decode(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.UTF_8);
    }

    /** The byte string of the bytes {@code text[start..end)}. */
    public static String string(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** The bytes of a byte string. */
    public static byte[] bytes(String octets) {
        return octets.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether a byte is white space as C's {@code isspace} defines it. */
    public static boolean isSpace(int c) {
        return c == ' ' || c >= 9 && c <= 13;
    }

    /** Whether a byte is one of the ten digits. */
    public static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** The first offset in {@code text[from..end)} that is not white space; {@code end} if there is none. */
    public static int afterSpace(byte[] text, int from, int end) {
        int i = from;
        while (i < end && isSpace(text[i])) {
            i++;
        }
        return i;
    }

    /** The offset behind the last byte in {@code text[from..end)} that is not white space; {@code from} if there is none. */
    public static int beforeSpace(byte[] text, int from, int end) {
        int i = end;
        while (i > from && isSpace(text[i - 1])) {
            i--;
        }
        return i;
    }

    /**
     * The offset behind the comment that begins at a slash; the offset of the slash if no comment begins there, -1 if the comment
     * has no end.
     */
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

    /** Whether all chars are below 0x80. */
    public static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** A byte string with its ASCII letters in lower case; the same object if nothing changes. */
    public static String lower(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (isUpper(octets.charAt(i))) {
                return mapped(octets, i, true);
            }
        }
        return octets;
    }

    /** A byte string with its ASCII letters in upper case; the same object if nothing changes. */
    public static String upper(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (octets.charAt(i) != upper(octets.charAt(i))) {
                return mapped(octets, i, false);
            }
        }
        return octets;
    }

    /** A byte string whose chars from an offset on are in lower case, or in upper case if {@code lower} is false. */
    private static String mapped(String octets, int from, boolean lower) {
        byte[] bytes = bytes(octets);
        for (int i = from; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            bytes[i] = (byte) (lower ? lower(c) : upper(c));
        }
        return string(bytes, 0, bytes.length);
    }

    /** An ASCII letter in lower case; other chars as they are. */
    public static char lower(char c) {
        return isUpper(c) ? (char) (c + 32) : c;
    }

    /** An ASCII letter in upper case; other chars as they are. */
    public static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    private static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** Compares two byte strings byte by byte with ASCII letters in lower case, a prefix first: -1, 0 or 1. */
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

    /** Whether two byte strings are equal but for the case of ASCII letters. */
    public static boolean equalIgnoringCase(String a, String b) {
        return a.length() == b.length() && compareIgnoringCase(a, b) == 0;
    }

    /** Compares two byte strings byte by byte, a prefix first: -1, 0 or 1. */
    public static int compare(String a, String b) {
        return Integer.signum(a.compareTo(b));
    }
}
