package org.metasched.classad.text;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A reader of quoted text: strings in double quotes, names in single ones. Not thread-safe.
 *
 * <p>A call of {@link #read} sets {@code at}, and {@code string} if it succeeds, or {@code reason} and {@code hint} if it fails.
 */
public final class QuoteReader {

    private final byte[] text;
    private final int end;

    /** Whether strings are those of the long form, in which a backslash is itself, except before a quote. */
    private final boolean raw;

    /** The offset behind the closing quote, of the last of adjacent strings; the end of the text if there is none. */
    public int at;

    /** The text between the quotes, its escapes replaced, as a byte string. */
    public String string = "";

    /** The reason why the last string is malformed, for an error message. */
    public String reason = "";

    /** The probable intention of the author of a malformed string; may be empty. */
    public String hint = "";

    /**
     * A reader of {@code text[..end)}.
     *
     * @param raw whether strings are those of the long form, in which a backslash is itself, except before a quote
     */
    public QuoteReader(byte[] text, int end, boolean raw) {
        this.text = text;
        this.end = end;
        this.raw = raw;
    }

    /** Reads the string that begins with the quote at an offset into the fields; false if it is malformed. */
    public boolean read(int open) {
        byte quote = text[open];
        return raw ? raw(open, quote) : escaped(open, quote);
    }

    private boolean bad(int offset, String why, String probableIntention) {
        at = offset;
        reason = why;
        hint = probableIntention;
        return false;
    }

    private boolean unclosed() {
        return bad(end, "the string that begins here has no end", "a closing quote is missing");
    }

    /** Reads a string of the long form: a backslash is itself, except before a quote that does not end the line. */
    private boolean raw(int open, byte quote) {
        var out = new StringBuilder();
        for (int i = open + 1; i < end && text[i] != 0; i++) {
            if (text[i] != quote) {
                out.append((char) (text[i] & 0xff));
                continue;
            }
            boolean escaped = text[i - 1] == '\\';
            boolean last = i + 1 >= end || text[i + 1] == '\n' || text[i + 1] == 0;
            if (!escaped || last) {
                at = i + 1;
                string = out.toString();
                return true;
            }
            out.setCharAt(out.length() - 1, (char) quote);
        }
        return unclosed();
    }

    /** Reads a string of the new syntax. Adjacent strings are one, even if an octal escape begins in one and continues in the next. */
    private boolean escaped(int open, byte quote) {
        int close = closingQuote(open + 1, quote);
        if (close < 0) {
            return unclosed();
        }
        if (nextOpen(close, quote) < 0) {
            at = close + 1;
            return decode(text, open + 1, close);
        }
        byte[] joined = joined(open, close, quote);
        return joined == null ? unclosed() : decode(joined, 0, joined.length);
    }

    /** Puts {@code bytes[from..to)}, its escapes replaced, into {@link #string}; false if it holds a NUL. */
    private boolean decode(byte[] bytes, int from, int to) {
        if (Escapes.hasNone(bytes, from, to)) {
            string = Bytes.string(bytes, from, to);
            return true;
        }
        var out = new StringBuilder();
        if (!Escapes.decode(bytes, from, to, out)) {
            return bad(at, "the string holds a NUL character", "\\0 was meant as text; write \\\\0");
        }
        string = out.toString();
        return true;
    }

    /** The texts of adjacent strings, joined, their escapes not replaced; null if the last string has no end. */
    private byte @Nullable [] joined(int firstOpen, int firstClose, byte quote) {
        var joined = new ByteArrayOutputStream();
        int open = firstOpen;
        int close = firstClose;
        while (open >= 0) {
            if (close < 0) {
                return null;
            }
            joined.write(text, open + 1, close - open - 1);
            at = close + 1;
            open = nextOpen(close, quote);
            close = open < 0 ? -1 : closingQuote(open + 1, quote);
        }
        return joined.toByteArray();
    }

    /** The offset of the first unescaped quote at or after an offset; -1 if the end of the text or a NUL comes first. */
    private int closingQuote(int from, byte quote) {
        for (int i = from; i < end; i++) {
            int c = text[i];
            if (c == quote) {
                return i;
            }
            if (c == 0) {
                return -1;
            }
            if (c == '\\') {
                i++;
            }
        }
        return -1;
    }

    /** The offset of the quote that follows a closing one with only white space between; -1 if none does. */
    private int nextOpen(int close, byte quote) {
        int i = Bytes.afterSpace(text, close + 1, end);
        return i < end && text[i] == quote ? i : -1;
    }
}
