package org.metasched.classad.form;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.grammar.FormReader;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * A reader of the long form: a line for each attribute, {@code Name = expr}. As in the reference, the name is everything before the
 * first {@code =}, and text after a complete expression is ignored. Blank lines and lines that begin with {@code #} are skipped.
 */
final class LongFormReader extends FormReader {

    private final ClassAd.Builder ad;

    LongFormReader(byte[] text, ReadOptions reading) {
        super(text, reading);
        this.ad = new ClassAd.Builder(text.length / BYTES_OF_AN_ATTRIBUTE);
    }

    /** Reads the whole text as one ad; blank lines do not end it. */
    @Override
    public ClassAd readOne() throws ClassAdSyntaxException {
        while (at < text.length) {
            int end = lineEnd(at);
            line(at, end);
            at = end + 1;
        }
        return ad.build();
    }

    /** Reads ads that each end with a blank line or a line that begins with {@code ***} or {@code ---}. */
    @Override
    public List<ClassAd> readAll() throws ClassAdSyntaxException {
        var ads = new ArrayList<ClassAd>();
        boolean open = false;
        while (at < text.length) {
            int end = lineEnd(at);
            int first = Bytes.afterSpace(text, at, end);
            boolean separator = first == end || startsWith(first, end, "***") || startsWith(first, end, "---");
            if (!separator) {
                open |= line(at, end);
            } else if (open) {
                ads.add(ad.build());
                ad.clear();
                open = false;
            }
            at = end + 1;
        }
        if (open) {
            ads.add(ad.build());
        }
        return ads;
    }

    private boolean startsWith(int from, int end, String mark) {
        return end - from >= mark.length()
                && Bytes.string(text, from, from + mark.length()).equals(mark);
    }

    /** The offset of the line feed that ends the line, or the end of the text. */
    private int lineEnd(int from) {
        int i = from;
        while (i < text.length && text[i] != '\n') {
            i++;
        }
        return i;
    }

    /** Adds the attribute of the line {@code text[start..end)} to the ad; false if the line is blank or a comment. */
    private boolean line(int start, int end) throws ClassAdSyntaxException {
        int from = Bytes.afterSpace(text, start, end);
        if (from == end || text[from] == '#') {
            return false;
        }
        int i = from;
        int nameEnd = from;
        int b;
        while (i < end && (b = text[i]) != '=') {
            if (!Bytes.isSpace(b)) {
                nameEnd = i + 1;
            }
            i++;
        }
        if (i == end || nameEnd == from || text[from] == '\'' || text[from] == '"') {
            throw wrong(from, end, "expected a line 'Name = expression'", "");
        }
        int value = Bytes.afterSpace(text, i + 1, end);
        Expr expr = value(value, Bytes.beforeSpace(text, value, end));
        if (!ad.put(Name.of(text, from, nameEnd), expr)) {
            throw wrong(from, end, tooManyAttributes(), "");
        }
        return true;
    }

    /** The expression that {@code text[from..to)} begins with. */
    private Expr value(int from, int to) throws ClassAdSyntaxException {
        Expr quick = quickLiteral(from, to);
        return quick != null ? quick : leading(from, to);
    }

    /** The literal of {@code text[from..to)}, if that is a plain string or number; else null, and the grammar has to read it. */
    private @Nullable Expr quickLiteral(int from, int to) {
        if (from >= to) {
            return null;
        }
        int c = text[from];
        if (c == '"') {
            return isPlainString(from + 1, to - 1) ? string(from + 1, to - 1) : null;
        }
        return c == '-' || c >= '0' && c <= '9' ? plainNumber(from, to) : null;
    }

    /** Whether {@code text[to]} is a closing quote, and {@code text[from..to)} has no quote, no NUL, and no backslash at its end. */
    private boolean isPlainString(int from, int to) {
        if (to < from || text[to] != '"') {
            return false;
        }
        for (int i = from; i < to; i++) {
            int c = text[i];
            if (c == '"' || c == 0 || c == '\\' && i == to - 1) {
                return false;
            }
        }
        return true;
    }
}
