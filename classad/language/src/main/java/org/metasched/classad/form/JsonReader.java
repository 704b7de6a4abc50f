package org.metasched.classad.form;

import java.util.ArrayList;
import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.RecordExpr;
import org.metasched.classad.Value;
import org.metasched.classad.grammar.FormReader;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;
import org.metasched.classad.text.NumberReader;

/** A reader of ads written as JSON objects. As in the reference, extra commas are tolerated and adjacent strings are joined. */
final class JsonReader extends FormReader {

    private static final String TOO_DEEP = "the object is nested too deeply";

    private final NumberReader numbers;

    JsonReader(byte[] text, ReadOptions reading) {
        super(text, reading);
        this.numbers = new NumberReader(text, text.length, true, false);
    }

    @Override
    public ClassAd readOne() throws ClassAdSyntaxException {
        skip();
        ClassAd ad = object();
        skip();
        if (at < text.length) {
            throw wrong("expected the end");
        }
        return ad;
    }

    /** Reads an array of objects, or objects side by side, with or without commas between them. */
    @Override
    public List<ClassAd> readAll() throws ClassAdSyntaxException {
        var ads = new ArrayList<ClassAd>();
        skip();
        boolean array = is('[');
        at += array ? 1 : 0;
        skipCommas();
        while (is('{')) {
            ads.add(object());
            skipCommas();
        }
        if (array && is(']')) {
            at++;
            skip();
        }
        if (at < text.length) {
            throw wrong("expected '{'");
        }
        return ads;
    }

    /** Whether the next byte is this character. */
    private boolean is(char c) {
        return at < text.length && text[at] == c;
    }

    /** Skips white space, and comments, which the reference allows in JSON, too. */
    private void skip() throws ClassAdSyntaxException {
        while (at < text.length && (Bytes.isSpace(text[at]) || text[at] == '/')) {
            if (text[at] != '/') {
                at++;
                continue;
            }
            int end = Bytes.commentEnd(text, at, text.length);
            if (end <= at) {
                throw wrong("expected JSON or a comment that ends");
            }
            at = end;
        }
    }

    /** Skips white space, comments and any number of commas. */
    private void skipCommas() throws ClassAdSyntaxException {
        skip();
        while (is(',')) {
            at++;
            skip();
        }
    }

    /** Reads an object as an ad. */
    private ClassAd object() throws ClassAdSyntaxException {
        if (!is('{')) {
            throw wrong("expected '{'");
        }
        descend(TOO_DEEP);
        at++;
        var ad = new ClassAd.Builder();
        skip();
        if (is(',')) {
            skipCommas();
            if (is('}')) {
                throw wrong("expected a name in double quotes");
            }
        }
        while (!is('}')) {
            attribute(ad);
            skip();
            if (!is(',') && !is('}')) {
                throw wrong("expected ',' or '}'");
            }
            skipCommas();
        }
        at++;
        level--;
        return ad.build();
    }

    /** Adds the member of an object to an ad. */
    private void attribute(ClassAd.Builder ad) throws ClassAdSyntaxException {
        if (!is('"')) {
            throw wrong("expected a name in double quotes or '}'");
        }
        String name = string();
        if (name.isEmpty()) {
            throw wrong("an attribute needs a name");
        }
        skip();
        if (!is(':')) {
            throw wrong("expected ':'");
        }
        at++;
        if (!ad.put(Name.of(name), value())) {
            throw wrong(tooManyAttributes());
        }
    }

    /** Reads a value: a literal, a list, an ad, or the expression in a string. */
    private Expr value() throws ClassAdSyntaxException {
        skip();
        if (is('{')) {
            return new RecordExpr(object());
        }
        if (is('[')) {
            return array();
        }
        if (is('"')) {
            return stringOrExpression();
        }
        int start = at;
        while (at < text.length && (Name.folded(text[at]) != 0 || "+-.".indexOf(text[at]) >= 0)) {
            at++;
        }
        return switch (Bytes.lower(Bytes.string(text, start, at))) {
            case "true" -> Literal.of(true);
            case "false" -> Literal.of(false);
            case "null" -> Literal.of(Value.UNDEFINED);
            default -> number(start);
        };
    }

    private Expr array() throws ClassAdSyntaxException {
        descend(TOO_DEEP);
        at++;
        var elements = new ArrayList<Expr>();
        skip();
        if (!is(']')) {
            elements.add(value());
            skip();
            while (is(',')) {
                at++;
                elements.add(value());
                skip();
            }
        }
        if (!is(']')) {
            throw wrong("expected ',' or ']'");
        }
        at++;
        level--;
        return new ListExpr(elements);
    }

    /** The number that {@code text[start..at)} is as a whole. */
    private Expr number(int start) throws ClassAdSyntaxException {
        int end = at;
        boolean begins = end > start && (Bytes.isDigit(text[start]) || "-.".indexOf(text[start]) >= 0);
        NumberReader.Kind kind = begins ? numbers.read(start) : NumberReader.Kind.BAD;
        if (kind == NumberReader.Kind.BAD || numbers.at != end || !Bytes.isDigit(text[end - 1])) {
            at = start;
            boolean number = begins && kind == NumberReader.Kind.BAD;
            throw wrong(at, text.length, number ? numbers.reason : "expected a value", number ? numbers.hint : "");
        }
        return kind == NumberReader.Kind.INTEGER ? integer(numbers.integer) : Literal.of(numbers.real);
    }

    /** A string literal; of {@code "\/Expr(text)\/"}, ignoring case and with both slashes escaped as here, the expression in it. */
    private Expr stringOrExpression() throws ClassAdSyntaxException {
        int start = at;
        // In the text the mark is "\/Expr( with its quote, 8 bytes, and )\/" at the end, 4 bytes; in the value it is
        // /Expr( and )/.
        boolean marked = Bytes.lower(Bytes.string(text, at, Math.min(text.length, at + 8)))
                .equals("\"\\/expr(");
        String value = string();
        if (marked
                && value.length() >= 8
                && value.endsWith(")/")
                && Bytes.string(text, at - 4, at).equals(")\\/\"")) {
            byte[] inner = Bytes.bytes(value.substring(6, value.length() - 2));
            try {
                return embedded(inner);
            } catch (ClassAdSyntaxException e) {
                at = start;
                throw wrong("the expression in this string cannot be read: " + e.reason());
            }
        }
        return Literal.of(new Value.Text(value));
    }

    /** A string, joined with the strings that follow with only white space or comments between; as a byte string. */
    private String string() throws ClassAdSyntaxException {
        var out = new StringBuilder();
        do {
            part(out);
            int end = at;
            skip();
            if (!is('"')) {
                at = end;
                return out.toString();
            }
        } while (true);
    }

    /** Appends the text between two quotes, its escapes replaced. */
    private void part(StringBuilder out) throws ClassAdSyntaxException {
        int start = at++;
        while (at < text.length && text[at] != '"') {
            char c = (char) (text[at++] & 0xff);
            if (c != '\\' || at >= text.length) {
                out.append(c);
            } else {
                escape(out);
            }
        }
        if (at >= text.length) {
            at = start;
            throw wrong("the string that begins here has no end");
        }
        at++;
    }

    /** Appends the character of the escape whose letter is next. */
    private void escape(StringBuilder out) throws ClassAdSyntaxException {
        char c = (char) (text[at++] & 0xff);
        switch (c) {
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'u' -> unicode(out);
            default -> out.append(c);
        }
    }

    /** Appends the UTF-8 bytes of the code point of a Unicode escape, or of two escapes that are a surrogate pair. */
    private void unicode(StringBuilder out) throws ClassAdSyntaxException {
        int unit = hexadecimal();
        var chars = new StringBuilder().append((char) unit);
        if (Character.isHighSurrogate((char) unit) && at + 1 < text.length && text[at] == '\\' && text[at + 1] == 'u') {
            at += 2;
            chars.append((char) hexadecimal());
        }
        out.append(Bytes.encode(chars.toString()));
    }

    /** Reads four hexadecimal digits, which must not all be 0. */
    private int hexadecimal() throws ClassAdSyntaxException {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < text.length ? Character.digit(text[at], 16) : -1;
            if (digit < 0) {
                throw wrong("expected four hexadecimal digits");
            }
            unit = unit * 16 + digit;
            at++;
        }
        if (unit == 0) {
            throw wrong("a string cannot hold a NUL character");
        }
        return unit;
    }
}
