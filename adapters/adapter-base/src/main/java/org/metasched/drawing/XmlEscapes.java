package org.metasched.drawing;

/** Text of unknown origin as the content of XML or HTML. */
public final class XmlEscapes {

    private static final int REPLACEMENT = 0xFFFD;

    private XmlEscapes() {}

    /** The text with U+FFFD for each character that XML forbids or that changes the direction of the text around it. */
    public static String readable(String text) {
        return isPlain(text)
                ? text
                : text.codePoints()
                        .map(c -> isReadable(c) ? c : REPLACEMENT)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    /** The readable text with references for the five characters of markup: valid in an element and in a quoted attribute. */
    public static String escaped(String text) {
        return readable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' && (c < 0x20 || c > 0x7E)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReadable(int c) {
        boolean changesDirection = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        boolean isXmlCharacter = c == '\n' || c == '\t' || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0x10FFFF);
        return isXmlCharacter && !changesDirection && c != 0xFFFE && c != 0xFFFF && !(c >= 0x7F && c <= 0x9F);
    }
}
