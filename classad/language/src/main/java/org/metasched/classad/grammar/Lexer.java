package org.metasched.classad.grammar;

import org.metasched.classad.Dialect;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;
import org.metasched.classad.text.NumberReader;
import org.metasched.classad.text.QuoteReader;

/**
 * The scanner of expressions: cuts a text into tokens. The current token is in the fields, so that reading makes no token objects. For
 * one thread.
 *
 * <p>Text that is no token is no exception, but the token {@link Token#BAD} with a reason: HTCondor's parser ignores bad tokens behind
 * the end of an expression.
 */
final class Lexer {

    final byte[] text;

    /** The offset behind the last byte that is read. */
    private final int end;

    /** Whether the text is in the papers' dialect. */
    private final boolean paper;

    /** Holds the text of the current token, if that is a string or a quoted name. */
    final QuoteReader quotes;

    /** Holds the value of the current token, if that is a number. */
    final NumberReader numbers;

    /** The offset behind the current token. */
    private int at;

    /** The current token, and the offset at which it begins. */
    Token token = Token.END;

    int start;

    /** The value of the current token, if that is a {@link Token#NAME} or a {@link Token#TIME}; else an earlier one. */
    Name name = NO_NAME;

    Value time = Value.UNDEFINED;

    /** The reason why the current token is bad, for an error message. */
    String reason = "";

    /** The probable intention of the author of a bad token, for an error message; may be empty. */
    String hint = "";

    /** The name before the first is read. */
    private static final Name NO_NAME = Name.of("");

    /** A scanner of {@code text[from..end)}; {@link #next} reads the first token. */
    Lexer(byte[] text, int from, int end, ReadOptions reading) {
        this.text = text;
        this.at = from;
        this.end = end;
        this.paper = reading.dialect() == Dialect.PAPER;
        this.quotes = new QuoteReader(text, end, reading.syntax() == Syntax.OLD);
        this.numbers = new NumberReader(text, end, reading.mode() == LookupMode.OLD, paper);
    }

    /** Reads the token at another offset, as if the text began there. */
    void moveTo(int offset) {
        at = offset;
        token = Token.END;
        next();
    }

    /** The byte {@code ahead} places behind the current offset, 0 to 255; -1 behind the end. */
    private int peek(int ahead) {
        int i = at + ahead;
        return i < end ? text[i] & 0xff : -1;
    }

    /** Reads the next token into the fields. */
    void next() {
        Token before = token;
        if (!skipSpace()) {
            return;
        }
        start = at;
        if (at >= end) {
            token = Token.END;
            return;
        }
        int c = text[at] & 0xff;
        if (c == '"') {
            token = quoted();
        } else if (c == '\'') {
            token = quotedName();
        } else if (beginsNumber(0) || c == '-' && !before.endsOperand && beginsNumber(1)) {
            token = number();
        } else if (Name.folded((byte) c) != 0) {
            word();
        } else {
            punctuation(c);
        }
    }

    /** Whether a digit, or a point and a digit, stands {@code ahead} places ahead. */
    private boolean beginsNumber(int ahead) {
        return Bytes.isDigit(peek(ahead)) || peek(ahead) == '.' && Bytes.isDigit(peek(ahead + 1));
    }

    /** Skips white space and comments; false, with a bad token, if a comment does not end. */
    private boolean skipSpace() {
        while (at < end) {
            if (Bytes.isSpace(text[at])) {
                at++;
                continue;
            }
            int after = text[at] == '/' ? Bytes.commentEnd(text, at, end) : at;
            if (after == at) {
                return true;
            }
            if (after < 0) {
                start = at;
                at = end;
                token = bad("the comment that begins here has no end", "a '*/' is missing");
                return false;
            }
            at = after;
        }
        return true;
    }

    private Token bad(String why, String probableIntention) {
        reason = why;
        hint = probableIntention;
        return Token.BAD;
    }

    /** Reads a name or a keyword, and computes its {@link Name#hash(byte[], int, int) hash} on the way. */
    private void word() {
        int hash = 0;
        int i = at;
        byte folded;
        while (i < end && (folded = Name.folded(text[i])) != 0) {
            hash = hash * 31 + folded;
            i++;
        }
        int from = at;
        at = i;
        name = Name.of(text, from, i, hash);
        token = name.isKeyword() ? keyword(name.lower()) : Token.NAME;
    }

    private static Token keyword(String lower) {
        return switch (lower) {
            case "true" -> Token.TRUE;
            case "false" -> Token.FALSE;
            case "undefined" -> Token.UNDEFINED;
            case "error" -> Token.ERROR;
            case "is" -> Token.IS;
            default -> Token.ISNT;
        };
    }

    /** Reads a string, or the text of a quoted name, into {@link #quotes}. */
    private Token quoted() {
        boolean good = quotes.read(at);
        at = quotes.at;
        return good ? Token.STRING : bad(quotes.reason, quotes.hint);
    }

    /** Reads a name in single quotes; in the papers' dialect it may be a time. */
    private Token quotedName() {
        if (quoted() == Token.BAD) {
            return Token.BAD;
        }
        var parsed = paper ? PaperTimes.parse(quotes.string) : null;
        if (parsed != null) {
            time = parsed;
            return Token.TIME;
        }
        name = Name.of(quotes.string);
        return Token.NAME;
    }

    private Token number() {
        NumberReader.Kind read = numbers.read(at);
        at = numbers.at;
        return switch (read) {
            case INTEGER -> Token.INTEGER;
            case REAL -> Token.REAL;
            case BAD -> bad(numbers.reason, numbers.hint);
        };
    }

    /** Reads the token that begins with a character that is no letter, digit or quote. */
    private void punctuation(int c) {
        at++;
        token = switch (c) {
            case '(' -> Token.OPEN_PAREN;
            case ')' -> Token.CLOSE_PAREN;
            case '[' -> Token.OPEN_BRACKET;
            case ']' -> Token.CLOSE_BRACKET;
            case '{' -> Token.OPEN_BRACE;
            case '}' -> Token.CLOSE_BRACE;
            case ',' -> Token.COMMA;
            case ';' -> Token.SEMICOLON;
            case ':' -> Token.COLON;
            case '+' -> Token.PLUS;
            case '-' -> Token.MINUS;
            case '*' -> Token.TIMES;
            case '/' -> Token.DIVIDE;
            case '%' -> Token.REMAINDER;
            case '^' -> Token.BIT_XOR;
            case '~' -> Token.COMPLEMENT;
            case '.' -> dot();
            case '&' -> follows('&') ? Token.AND : Token.BIT_AND;
            case '|' -> follows('|') ? Token.OR : Token.BIT_OR;
            case '!' -> follows('=') ? Token.NOT_EQUAL : Token.NOT;
            case '<' -> follows('=') ? Token.LESS_OR_EQUAL : follows('<') ? Token.SHIFT_LEFT : Token.LESS;
            case '>' -> follows('=') ? Token.GREATER_OR_EQUAL : follows('>') ? rightShift() : Token.GREATER;
            case '=' -> equals();
            case '?' -> question();
            default -> bad("no token begins with this character", "");
        };
    }

    /** Consumes a character if it comes next. */
    private boolean follows(char c) {
        if (peek(0) == c) {
            at++;
            return true;
        }
        return false;
    }

    /** Two dots are read as one, as in HTCondor. */
    private Token dot() {
        follows('.');
        return Token.DOT;
    }

    private Token rightShift() {
        return follows('>') ? Token.SHIFT_RIGHT_UNSIGNED : Token.SHIFT_RIGHT;
    }

    /** A token that begins with an equals sign, which has been read. */
    private Token equals() {
        if (follows('=')) {
            return Token.EQUAL;
        }
        if (peek(0) == '!' && peek(1) == '=') {
            at += 2;
            return Token.ISNT;
        }
        if (follows('?')) {
            return follows('=') ? Token.IS : bad("expected '=?='", "");
        }
        return Token.ASSIGN;
    }

    /** A question mark, or {@code ?:}, whose two characters white space may separate. */
    private Token question() {
        int i = Bytes.afterSpace(text, at, end);
        if (i < end && text[i] == ':') {
            at = i + 1;
            return Token.ELVIS;
        }
        return Token.QUESTION;
    }
}
