package org.metasched.classad.grammar;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.text.Numbers;

/**
 * The base of the readers of written forms, which gives them the grammar of expressions and the cache of recently parsed texts. For
 * the written forms, not for users of the language. Not thread-safe; a reader reads one text once.
 */
public abstract class FormReader {

    /**
     * The bytes that an attribute takes in a text at least, as a rule, to estimate the number of attributes from the length of a
     * text.
     */
    protected static final int BYTES_OF_AN_ATTRIBUTE = 24;

    /** The text to read. */
    protected final byte[] text;

    /** The options to read it with. */
    protected final ReadOptions reading;

    /** The offset of the byte that is read next. */
    protected int at;

    /** The number of lists and ads around the byte at {@link #at}. */
    protected int level;

    /** A reader that begins at offset 0. */
    protected FormReader(byte[] text, ReadOptions reading) {
        this.text = text;
        this.reading = reading;
    }

    /** Parses an expression, which must be all of the text. A cached text is not parsed again. */
    public static Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException {
        return Parser.expression(text, reading);
    }

    /** Reads one ad, which must be all of the text. */
    public abstract ClassAd readOne() throws ClassAdSyntaxException;

    /** Reads any number of ads, which must be all of the text; in order. */
    public abstract List<ClassAd> readAll() throws ClassAdSyntaxException;

    /**
     * A syntax error at an offset of the text.
     *
     * @param end the offset behind the line or text that the message may quote
     * @param hint a probable intention of the author, which the message appends after "Maybe"; may be empty
     */
    protected final ClassAdSyntaxException wrong(int at, int end, String reason, String hint) {
        return ClassAdSyntaxException.at(text, at, end, reason, hint);
    }

    /** A syntax error at {@link #at}. */
    protected final ClassAdSyntaxException wrong(String reason) {
        return wrong(at, text.length, reason, "");
    }

    /** Raises {@link #level}, and throws a syntax error with this reason if that is more than the limits allow. */
    protected final void descend(String reason) throws ClassAdSyntaxException {
        if (++level > reading.limits().parserLevels()) {
            throw wrong(reason);
        }
    }

    /** The reason of the syntax error of an ad with too many attributes. */
    protected static String tooManyAttributes() {
        return "an ad has at most %d attributes".formatted(ClassAd.MOST_ATTRIBUTES);
    }

    /** The expression that {@code text[from..to)} begins with; the text behind it is ignored. A cached text is not parsed again. */
    protected final Expr leading(int from, int to) throws ClassAdSyntaxException {
        Expr known = ExprCache.find(text, from, to, reading);
        if (known != null) {
            return known;
        }
        var parser = new Parser(text, from, to, reading);
        Expr expr = parser.expression();
        return parser.token() == Token.END ? ExprCache.store(text, from, to, reading, expr, parser.nodes) : expr;
    }

    /** The expression that {@code text[from..to)} is as a whole; null if it is none. A cached text is not parsed again. */
    protected final @Nullable Expr complete(int from, int to) {
        Expr known = ExprCache.find(text, from, to, reading);
        if (known != null) {
            return known;
        }
        try {
            var parser = new Parser(text, from, to, reading);
            Expr expr = parser.expression();
            return parser.token() == Token.END ? ExprCache.store(text, from, to, reading, expr, parser.nodes) : null;
        } catch (ClassAdSyntaxException e) {
            return null;
        }
    }

    /** Parses an expression of the new syntax that stands inside another form. It must be all of the given text. */
    protected final Expr embedded(byte[] inner) throws ClassAdSyntaxException {
        return Parser.expression(inner, reading.with(Syntax.NEW));
    }

    /** Parses an expression of the new syntax that stands inside another form. The text behind the expression is ignored. */
    protected final Expr embeddedLeading(byte[] inner) throws ClassAdSyntaxException {
        return new Parser(inner, 0, inner.length, reading.with(Syntax.NEW)).expression();
    }

    /** The string literal of the bytes {@code text[from..to)}, which are taken as they are: a backslash is a backslash. */
    protected final Literal string(int from, int to) {
        return ExprCache.string(text, from, to);
    }

    /**
     * The literal of {@code text[from..to)} if it is a number that needs no {@code NumberReader}, else null: digits, perhaps after a minus,
     * that are so few that they fit 64 bits, or that have a point between two of them.
     */
    protected final @Nullable Literal plainNumber(int from, int to) {
        int first = from < to && text[from] == '-' ? from + 1 : from;
        int point = -1;
        for (int i = first; i < to; i++) {
            int c = text[i];
            if (c == '.' && point < 0) {
                point = i;
            } else if (c < '0' || c > '9') {
                return null;
            }
        }
        if (point >= 0) {
            return point > first && point < to - 1 ? Literal.of(Numbers.parseReal(text, from, to)) : null;
        }
        boolean plain = to > first && to - first <= Numbers.SAFE_DIGITS && (text[first] != '0' || to - first == 1);
        return plain ? ExprCache.integer(Numbers.parseInteger(text, from, to)) : null;
    }

    /** The literal of an integer, from the cache. */
    protected static Literal integer(long value) {
        return ExprCache.integer(value);
    }

    /** The literal of an absolute or else relative time, written as a byte string; the literal of ERROR if it is malformed. */
    protected final Literal time(boolean absolute, String octets) {
        return absolute ? TimeLiterals.absolute(octets) : TimeLiterals.relative(octets, reading.dialect());
    }

    /** Reads one ad of the new syntax with the grammar. It must be all of the text. */
    protected final ClassAd record() throws ClassAdSyntaxException {
        var parser = new Parser(text, 0, text.length, reading);
        ClassAd parsed = parser.record();
        if (parser.token() != Token.END) {
            throw parser.expected("the end");
        }
        return parsed;
    }

    /**
     * Reads an ad of the new syntax at an offset without the grammar, and sets {@link #at} behind the ad. Null if the ad is not plain
     * enough: the grammar has to read it.
     */
    protected @Nullable ClassAd readAt(int offset) {
        return null;
    }

    /** Reads any number of ads of the new syntax, which stand side by side or in one list, with or without commas between them. */
    protected final List<ClassAd> records() throws ClassAdSyntaxException {
        var parser = new Parser(text, 0, text.length, reading);
        boolean list = parser.token() == Token.OPEN_BRACE;
        if (list) {
            parser.moveTo(parser.tokenStart() + 1);
        }
        var ads = new ArrayList<ClassAd>();
        while (parser.token() == Token.OPEN_BRACKET) {
            @Nullable ClassAd ad = readAt(parser.tokenStart());
            if (ad == null) {
                ads.add(parser.record());
            } else {
                ads.add(ad);
                parser.moveTo(at);
            }
            if (parser.token() == Token.COMMA) {
                parser.moveTo(parser.tokenStart() + 1);
            }
        }
        if (list) {
            if (parser.token() != Token.CLOSE_BRACE) {
                throw parser.expected("'[' or '}'");
            }
            parser.moveTo(parser.tokenStart() + 1);
        }
        if (parser.token() != Token.END) {
            throw parser.expected("'['");
        }
        return ads;
    }
}
