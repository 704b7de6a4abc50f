package org.metasched.drawing;

/** Text of unknown origin as the content of XML or HTML. */
public final class XmlText {

    private static final int REPLACEMENT = 0xFFFD;

    private XmlText() {}

    /** The text with U+FFFD for each character that XML forbids or that changes the direction of the text around it. */
    public static String readable(String text) {
        return text.codePoints().allMatch(XmlText::isReadable)
                ? text
                : text.codePoints()
                        .map(c -> isReadable(c) ? c : REPLACEMENT)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    /** The readable text with references for the five characters of markup: right in an element and in a quoted attribute. */
    public static String escaped(String text) {
        return readable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static boolean isReadable(int c) {
        boolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        boolean character = c == '\n' || c == '\t' || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0x10FFFF);
        return character && !turns && c != 0xFFFE && c != 0xFFFF && !(c >= 0x7F && c <= 0x9F);
    }
}
