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
 * The base of the readers of written forms: the grammar of expressions, and the cache of recently read texts. For the
 * written forms, not for users of the language. Not thread-safe; one reader for each text.
 */
public abstract class FormReader {

    /** Bytes of a name with its expression at least, as a rule. */
    protected static final int BYTES_OF_AN_ATTRIBUTE = 24;

    protected final byte[] text;
    protected final ReadOptions reading;

    /** The offset that is read next. */
    protected int at;

    /** How deep what is read there is nested. */
    protected int level;

    protected FormReader(byte[] text, ReadOptions reading) {
        this.text = text;
        this.reading = reading;
    }

    /** The expression that all of a text is. Known texts are not parsed again. */
    public static Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException {
        return Parser.expression(text, reading);
    }

    /** The ad that all of the text is. */
    public abstract ClassAd one() throws ClassAdSyntaxException;

    /** The ads of the text, in order. */
    public abstract List<ClassAd> all() throws ClassAdSyntaxException;

    /** A syntax error at an offset of the text; a hint, if not empty, becomes a second line that says "Maybe". */
    protected final ClassAdSyntaxException wrong(int at, int end, String reason, String hint) {
        return ClassAdSyntaxException.at(text, at, end, reason, hint);
    }

    /** A syntax error where the reader stands. */
    protected final ClassAdSyntaxException wrong(String reason) {
        return wrong(at, text.length, reason, "");
    }

    /** Goes a level deeper, and refuses the text for a reason if that is too deep. */
    protected final void descend(String reason) throws ClassAdSyntaxException {
        if (++level > reading.limits().parserLevels()) {
            throw wrong(reason);
        }
    }

    /** Why an attribute too many is refused. */
    protected static String tooManyAttributes() {
        return "an ad has at most %d attributes".formatted(ClassAd.MOST_ATTRIBUTES);
    }

    /** The expression between two offsets; what follows a complete expression is ignored. Known texts are not parsed again. */
    protected final Expr leading(int from, int to) throws ClassAdSyntaxException {
        Expr known = ExprCache.find(text, from, to, reading);
        if (known != null) {
            return known;
        }
        var parser = new Parser(text, from, to, reading);
        Expr expr = parser.expression();
        return parser.token() == Token.END ? ExprCache.store(text, from, to, reading, expr, parser.nodes) : expr;
    }

    /** The expression that all between two offsets is; null if it is none. Known texts are not parsed again. */
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

    /** The expression of the new syntax that all of an embedded text is. */
    protected final Expr embedded(byte[] inner) throws ClassAdSyntaxException {
        return Parser.expression(inner, reading.with(Syntax.NEW));
    }

    /** The expression of the new syntax that begins an embedded text. */
    protected final Expr embeddedLeading(byte[] inner) throws ClassAdSyntaxException {
        return new Parser(inner, 0, inner.length, reading.with(Syntax.NEW)).expression();
    }

    /** A literal of the bytes between two offsets, without escapes. */
    protected final Literal string(int from, int to) {
        return ExprCache.string(text, from, to);
    }

    /** The literal that a text of digits is, with or without a point; null if it is anything less plain. */
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
        boolean plain = to > first && to - first <= 18 && (text[first] != '0' || to - first == 1);
        return plain ? ExprCache.integer(Numbers.parseInteger(text, from, to)) : null;
    }

    protected static Literal integer(long value) {
        return ExprCache.integer(value);
    }

    /** The time of a text; a literal of ERROR if it is malformed. */
    protected final Literal time(boolean absolute, String octets) {
        return absolute ? TimeLiterals.absolute(octets) : TimeLiterals.relative(octets, reading.dialect());
    }

    /** The ad of the new syntax that all of the text is. */
    protected final ClassAd record() throws ClassAdSyntaxException {
        var parser = new Parser(text, 0, text.length, reading);
        ClassAd parsed = parser.record();
        if (parser.token() != Token.END) {
            throw parser.expected("the end");
        }
        return parsed;
    }

    /** The plain ad of the new syntax that begins at an offset, and ends where {@link #at} is then; null if the grammar has to decide. */
    protected @Nullable ClassAd readAt(int offset) {
        return null;
    }

    /** The ads of the new syntax, side by side or as one list. */
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
