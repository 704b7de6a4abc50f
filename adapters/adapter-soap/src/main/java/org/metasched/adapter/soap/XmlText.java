package org.metasched.adapter.soap;

/** Makes text fit for XML 1.0: replaces characters that XML cannot carry, which output of a scheduler may hold. */
public final class XmlText {

    private XmlText() {}

    /** The text with U+FFFD for each character that XML cannot carry. */
    public static String of(String text) {
        if (text.codePoints().allMatch(XmlText::isAllowed)) {
            return text;
        }
        var clean = new StringBuilder(text.length());
        text.codePoints().map(c -> isAllowed(c) ? c : '\uFFFD').forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** XML 1.0, production 2. */
    private static boolean isAllowed(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= 0x20 && c <= 0xD7FF)
                || (c >= 0xE000 && c <= 0xFFFD)
                || c >= 0x10000;
    }
}
