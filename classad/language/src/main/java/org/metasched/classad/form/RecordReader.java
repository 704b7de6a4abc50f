package org.metasched.classad.form;

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
 * A reader of ads in the new syntax that is faster than the grammar: it finds names and the ends of their expressions, and takes plain
 * literals and cached expressions without parsing. An ad with comments, quoted names or errors is read by the grammar.
 */
final class RecordReader extends FormReader {

    private final ClassAd.Builder ad;

    RecordReader(byte[] text, ReadOptions reading) {
        super(text, reading);
        this.ad = new ClassAd.Builder(text.length / BYTES_OF_AN_ATTRIBUTE);
    }

    @Override
    public ClassAd readOne() throws ClassAdSyntaxException {
        ClassAd quick = readAt(skipSpace(0));
        return quick != null && skipSpace(at) == text.length ? quick : record();
    }

    @Override
    public List<ClassAd> readAll() throws ClassAdSyntaxException {
        return records();
    }

    @Override
    protected @Nullable ClassAd readAt(int offset) {
        if (offset >= text.length || text[offset] != '[') {
            return null;
        }
        ad.clear();
        at = skipSpace(offset + 1);
        while (at < text.length && text[at] != ']') {
            if (!attribute()) {
                return null;
            }
        }
        if (at >= text.length) {
            return null;
        }
        at++;
        return ad.build();
    }

    /** Adds the attribute at {@link #at} to the ad and moves behind it and its semicolons; false if the grammar has to read the ad. */
    private boolean attribute() {
        int from = at;
        int hash = 0;
        byte folded;
        while (at < text.length && (folded = Name.folded(text[at])) != 0) {
            hash = hash * 31 + folded;
            at++;
        }
        if (at == from || text[from] <= '9') {
            return false;
        }
        Name name = Name.of(text, from, at, hash);
        if (name.isKeyword()) {
            return false;
        }
        at = skipSpace(at);
        if (at + 1 >= text.length || text[at] != '=' || text[at + 1] == '=' || text[at + 1] == '?') {
            return false;
        }
        at = skipSpace(at + 1);
        Expr expr = at < text.length ? value() : null;
        if (expr == null || !ad.put(name, expr)) {
            return false;
        }
        while (at < text.length && text[at] == ';') {
            at = skipSpace(at + 1);
        }
        return true;
    }

    /** The first offset from {@code from} on that is not white space. */
    private int skipSpace(int from) {
        return Bytes.afterSpace(text, from, text.length);
    }

    /** Whether a semicolon or bracket, which ends an attribute's expression, stands at an offset. */
    private boolean endsValue(int i) {
        return i < text.length && (text[i] == ';' || text[i] == ']');
    }

    /** The expression at {@link #at}, which is moved to the {@code ;} or {@code ]} behind it; null if the grammar has to read the ad. */
    private @Nullable Expr value() {
        int c = text[at];
        Expr quick = c == '"' ? quickString() : c == '-' || c >= '0' && c <= '9' ? quickNumber() : null;
        return quick != null ? quick : general();
    }

    /** The string literal here, if it has no escapes and is all of the expression; else null. */
    private @Nullable Expr quickString() {
        int i = at + 1;
        int c = 0;
        while (i < text.length && (c = text[i]) != '"' && c != '\\' && c != 0) {
            i++;
        }
        if (c != '"' || i >= text.length) {
            return null;
        }
        int after = skipSpace(i + 1);
        if (!endsValue(after)) {
            return null;
        }
        Expr literal = string(at + 1, i);
        at = after;
        return literal;
    }

    /** The number here, if it is plain digits and all of the expression; else null. */
    private @Nullable Expr quickNumber() {
        int i = at + 1;
        while (i < text.length && (text[i] >= '0' && text[i] <= '9' || text[i] == '.')) {
            i++;
        }
        int after = skipSpace(i);
        Expr literal = endsValue(after) ? plainNumber(at, i) : null;
        at = literal == null ? at : after;
        return literal;
    }

    /** The expression here from the cache or the parser; null if its end is not found or it is malformed. */
    private @Nullable Expr general() {
        int from = at;
        int stop = extent(from);
        if (stop < 0) {
            return null;
        }
        at = stop;
        return complete(from, Bytes.beforeSpace(text, from, stop));
    }

    /** The offset of the {@code ;} or {@code ]} after an expression, or -1 if it holds comments or its brackets do not match. */
    private int extent(int from) {
        int depth = 0;
        for (int i = from; i < text.length; i++) {
            switch (text[i]) {
                case '"', '\'' -> {
                    i = closingQuote(i);
                    if (i < 0) {
                        return -1;
                    }
                }
                case '(', '[', '{' -> depth++;
                case ')', '}' -> depth--;
                case ']' -> {
                    if (depth == 0) {
                        return i;
                    }
                    depth--;
                }
                case ';' -> {
                    if (depth == 0) {
                        return i;
                    }
                }
                case '/' -> {
                    if (i + 1 < text.length && (text[i + 1] == '/' || text[i + 1] == '*')) {
                        return -1;
                    }
                }
                default -> {}
            }
        }
        return -1;
    }

    /** The offset of the quote that closes the one at {@code open}, or -1. */
    private int closingQuote(int open) {
        for (int i = open + 1; i < text.length; i++) {
            if (text[i] == text[open]) {
                return i;
            }
            if (text[i] == '\\') {
                i++;
            }
        }
        return -1;
    }
}
