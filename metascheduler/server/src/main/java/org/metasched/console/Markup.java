package org.metasched.console;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * HTML that is XML too, written from front to back. Whatever is not the name of an element or attribute is escaped, so that no
 * text from outside can become markup. Not thread-safe.
 */
final class Markup {

    private final StringBuilder out = new StringBuilder("<!DOCTYPE html>\n");
    private final Deque<String> open = new ArrayDeque<>();

    /** @param attributes name and value, in turn */
    Markup open(String element, String... attributes) {
        tag(element, attributes).append('>');
        open.push(element);
        return this;
    }

    /** Closes the element that was opened last. */
    Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    Markup text(String text) {
        escape(text);
        return this;
    }

    /** An element with nothing but a text in it. */
    Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** An element without content, such as {@code meta}, or a shape. */
    Markup empty(String element, String... attributes) {
        tag(element, attributes).append("/>");
        return this;
    }

    /** A style sheet of ours; the only text that is not escaped, as HTML and XML disagree about it. */
    Markup style(String sheet) {
        if (sheet.indexOf('<') >= 0 || sheet.indexOf('&') >= 0) {
            throw new IllegalArgumentException("The style sheet must have no '<' and no '&' in it.");
        }
        open("style");
        out.append(sheet);
        return close();
    }

    private StringBuilder tag(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
        return out;
    }

    private void escape(String text) {
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) {
            plain++;
        }
        out.append(text, 0, plain);
        for (int i = plain; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isShown(c) ? c : 0xFFFD);
            }
        }
    }

    private static boolean isPlain(char c) {
        return c >= 0x20 && c < 0x7F && c != '<' && c != '>' && c != '&' && c != '"' && c != '\'';
    }

    /** Not what XML forbids, nor what turns the direction of the text around it. */
    private static boolean isShown(int c) {
        boolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        boolean character = c == '\n' || c == '\t' || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0x10FFFF);
        return character && !turns && c != 0xFFFE && c != 0xFFFF && !(c >= 0x7F && c <= 0x9F);
    }

    /** @throws IllegalStateException when an element is still open */
    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("The elements " + open + " are not closed.");
        }
        return out.toString();
    }
}
