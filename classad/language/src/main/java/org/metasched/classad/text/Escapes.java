package org.metasched.classad.text;

/** Backslash escapes of strings and quoted names in the new syntax. */
public final class Escapes {

    private static final String LETTERS = "abfnrtv";
    private static final String CODES = "\007\b\f\n\r\t\013";

    private Escapes() {}

    public static boolean hasNone(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\\') {
                return false;
            }
        }
        return true;
    }

    /** Appends the text with its escapes replaced; false if it holds a NUL. */
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

    /** Appends a byte string escaped as the reference does: the quote, the backslash, control and non-ASCII bytes. */
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
