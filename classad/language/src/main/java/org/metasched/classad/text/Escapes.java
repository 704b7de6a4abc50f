package org.metasched.classad.text;

/** Backslash escapes of strings and quoted names in the new syntax. */
public final class Escapes {

    /** The letters of escapes, and the character that each stands for at the same index. */
    private static final String LETTERS = "abfnrtv";

    private static final String CODES = "\007\b\f\n\r\t\013";

    private Escapes() {}

    /** Whether {@code text[from..to)} has no backslash. */
    public static boolean hasNone(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\\') {
                return false;
            }
        }
        return true;
    }

    /**
     * Appends {@code text[from..to)} as a byte string, its escapes replaced: one of the letters {@code abfnrtv}, up to three octal digits,
     * or any other character, which stands for itself. False if an escape is a NUL, which no string can hold; a part has been appended then.
     */
    public static boolean decode(byte[] text, int from, int to, StringBuilder out) {
        for (int i = from; i < to; i++) {
            char c = (char) (text[i] & 0xff);
            if (c != '\\' || i + 1 >= to) {
                out.append(c);
                continue;
            }
            char escaped = (char) (text[++i] & 0xff);
            if (!isOctal(escaped)) {
                out.append(unescaped(escaped));
                continue;
            }
            int code = escaped - '0';
            if (i + 1 < to && isOctal(text[i + 1])) {
                code = code * 8 + text[++i] - '0';
                // A third digit belongs to the escape only if the code remains a byte.
                if (code < 32 && i + 1 < to && isOctal(text[i + 1])) {
                    code = code * 8 + text[++i] - '0';
                }
            }
            if (code == 0) {
                return false;
            }
            out.append((char) code);
        }
        return true;
    }

    private static boolean isOctal(int c) {
        return c >= '0' && c <= '7';
    }

    private static char unescaped(char letter) {
        int index = LETTERS.indexOf(letter);
        return index < 0 ? letter : CODES.charAt(index);
    }

    /**
     * Appends a byte string with the escapes that the reference writes: before the backslash and the quote, and for control and
     * non-ASCII bytes.
     *
     * @param quote the quote around the string, NUL for none
     */
    public static void encode(String octets, char quote, StringBuilder out) {
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            int code = CODES.indexOf(c);
            if (code >= 0) {
                out.append('\\').append(LETTERS.charAt(code));
            } else if (c == quote || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 32 || c >= 127) {
                out.append('\\')
                        .append((char) ('0' + (c >> 6)))
                        .append((char) ('0' + (c >> 3 & 7)))
                        .append((char) ('0' + (c & 7)));
            } else {
                out.append(c);
            }
        }
    }
}
