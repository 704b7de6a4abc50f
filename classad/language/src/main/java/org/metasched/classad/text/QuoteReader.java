package org.metasched.classad.text;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Reads quoted text: double quotes for strings, single quotes for names. The last one is in the field. */
public final class QuoteReader {

    private final byte[] text;
    private final int end;
    private final boolean raw;

    /** The offset after the last quote. */
    public int at;

    public String string = "";

    /** Why there is no string, and perhaps what was meant. */
    public String reason = "";

    public String hint = "";

    /** A reader of {@code text[..end)}; raw strings, as in the long form, or escaped ones. */
    public QuoteReader(byte[] text, int end, boolean raw) {
        this.text = text;
        this.end = end;
        this.raw = raw;
    }

    /** The string that the quote at an offset begins; false if it is malformed. */
    public boolean read(int open) {
        byte quote = text[open];
        return raw ? raw(open, quote) : escaped(open, quote);
    }

    private boolean bad(int where, String why, String maybe) {
        at = where;
        reason = why;
        hint = maybe;
        return false;
    }

    private boolean unclosed() {
        return bad(end, "the string that begins here has no end", "a closing quote is missing");
    }

    /** A string of the long form: a backslash is itself, except before a quote that does not end the line. */
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

    /** Adjacent strings are one string, also where an escape begins in one and goes on in the next. */
    private boolean escaped(int open, byte quote) {
        int close = closingQuote(open + 1, quote);
        if (close < 0) {
            return unclosed();
        }
        if (next(close, quote) < 0) {
            at = close + 1;
            return decode(text, open + 1, close);
        }
        byte[] joined = joined(open, close, quote);
        return joined == null ? unclosed() : decode(joined, 0, joined.length);
    }

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

    /** The text between the quotes of adjacent strings; null if the last does not end. */
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
            open = next(close, quote);
            close = open < 0 ? -1 : closingQuote(open + 1, quote);
        }
        return joined.toByteArray();
    }

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

    /** The quote that follows a closing one, with nothing but white space between; -1 if another thing does. */
    private int next(int close, byte quote) {
        int i = Bytes.afterSpace(text, close + 1, end);
        return i < end && text[i] == quote ? i : -1;
    }
}
