package org.metasched.classad;

/**
 * Cuts a text into tokens. The current token is in the fields, so that reading makes no token objects. What cannot be a token
 * becomes {@link Token#BAD} with a reason: the reference ignores bad tokens that it does not get to.
 */
final class Lexer {

    final byte[] text;
    private final int end;
    private final boolean rawStrings;
    private final boolean oldIntegers;
    private final boolean paper;

    private int at;

    Token token = Token.END;
    int start;
    long integer;
    double real;
    String string = "";
    Name name = NO_NAME;
    Value time = Value.UNDEFINED;

    /** Why the current token is bad, and perhaps what was meant. */
    String reason = "";

    String hint = "";

    private static final Name NO_NAME = Name.of("");

    Lexer(byte[] text, int from, int end, Reading reading) {
        this.text = text;
        this.at = from;
        this.end = end;
        this.rawStrings = reading.syntax() == Syntax.OLD;
        this.oldIntegers = reading.mode() == Mode.OLD;
        this.paper = reading.dialect() == Dialect.PAPER;
    }

    /** Where the text after the current token begins. */
    int position() {
        return at;
    }

    /** Goes on reading elsewhere. */
    void moveTo(int offset) {
        at = offset;
        token = Token.END;
        next();
    }

    private int peek(int ahead) {
        int i = at + ahead;
        return i < end ? text[i] & 0xff : -1;
    }

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
            token = readString('"');
        } else if (c == '\'') {
            quotedName();
        } else if (isDigit(c) || c == '.' && isDigit(peek(1))) {
            number(0);
        } else if (c == '-' && !before.endsOperand() && beginsNumber(1)) {
            number(1);
        } else if (Name.folded((byte) c) != 0) {
            word();
        } else {
            punctuation(c);
        }
    }

    private boolean beginsNumber(int ahead) {
        return isDigit(peek(ahead)) || peek(ahead) == '.' && isDigit(peek(ahead + 1));
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isSpace(int c) {
        return c == ' ' || c >= 9 && c <= 13;
    }

    /** Skips white space and comments; false, with a bad token, if a comment does not end. */
    private boolean skipSpace() {
        while (at < end) {
            int c = text[at];
            if (isSpace(c)) {
                at++;
            } else if (c == '/' && peek(1) == '/') {
                while (at < end && text[at] != '\n') {
                    at++;
                }
            } else if (c == '/' && peek(1) == '*') {
                if (!skipComment()) {
                    return false;
                }
            } else {
                return true;
            }
        }
        return true;
    }

    private boolean skipComment() {
        start = at;
        for (int i = at + 2; i + 1 < end; i++) {
            if (text[i] == '*' && text[i + 1] == '/') {
                at = i + 2;
                return true;
            }
        }
        at = end;
        token = bad("the comment that begins here has no end", "a '*/' is missing");
        return false;
    }

    private Token bad(String why, String maybe) {
        reason = why;
        hint = maybe;
        return Token.BAD;
    }

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
        token = switch (name.lower) {
            case "true" -> Token.TRUE;
            case "false" -> Token.FALSE;
            case "undefined" -> Token.UNDEFINED;
            case "error" -> Token.ERROR;
            case "is" -> Token.IS;
            case "isnt" -> Token.ISNT;
            default -> Token.NAME;
        };
    }

    private void quotedName() {
        token = readString('\'');
        if (token == Token.STRING) {
            token = Token.NAME;
            if (paper) {
                var parsed = PaperTimes.parse(string);
                if (parsed != null) {
                    time = parsed;
                    token = Token.TIME;
                    return;
                }
            }
            name = Name.of(string);
        }
    }

    private Token readString(char quote) {
        return rawStrings ? rawString(quote) : escapedString(quote);
    }

    /** A string of the long form: a backslash is itself, except before a quote that does not end the line. */
    private Token rawString(char quote) {
        var out = new StringBuilder();
        for (int i = at + 1; i < end && text[i] != 0; i++) {
            int c = text[i] & 0xff;
            if (c == quote) {
                boolean escaped = text[i - 1] == '\\' && i - 1 > at;
                boolean last = i + 1 >= end || text[i + 1] == '\n' || text[i + 1] == 0;
                if (!escaped || last) {
                    at = i + 1;
                    string = out.toString();
                    return Token.STRING;
                }
                out.setCharAt(out.length() - 1, '"');
            } else {
                out.append((char) c);
            }
        }
        at = end;
        return bad("the string that begins here has no end", "a closing quote is missing");
    }

    /** Adjacent strings are one string. */
    private Token escapedString(char quote) {
        int close = closingQuote(at + 1, quote);
        if (close > 0 && !continues(close + 1, quote)) {
            string = Escapes.hasNone(text, at + 1, close) ? Bytes.string(text, at + 1, close) : "";
            if (!string.isEmpty() || close == at + 1) {
                at = close + 1;
                return Token.STRING;
            }
        }
        var out = new StringBuilder();
        while (close > 0) {
            if (!Escapes.decode(text, at + 1, close, out)) {
                at = close + 1;
                return bad("the string holds a NUL character", "\\0 was meant as text; write \\\\0");
            }
            at = close + 1;
            if (!continues(at, quote)) {
                string = out.toString();
                return Token.STRING;
            }
            while (text[at] != quote) {
                at++;
            }
            close = closingQuote(at + 1, quote);
        }
        at = end;
        return bad("the string that begins here has no end", "a closing quote is missing");
    }

    private int closingQuote(int from, char quote) {
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

    private boolean continues(int from, char quote) {
        int i = from;
        while (i < end && isSpace(text[i])) {
            i++;
        }
        return i < end && text[i] == quote;
    }

    private void number(int sign) {
        int from = at;
        int i = at + sign;
        while (i < end && isDigit(text[i])) {
            i++;
        }
        int digits = i - from - sign;
        if (digits == 1 && text[i - 1] == '0' && i < end && (text[i] | 0x20) == 'x') {
            hexadecimal(i + 1);
            return;
        }
        boolean isReal = false;
        if (i < end && text[i] == '.') {
            int fraction = i + 1;
            i = fraction;
            while (i < end && isDigit(text[i])) {
                i++;
            }
            if (i == fraction) {
                at = i;
                token = bad("a number must have a digit after its point", "a space before the '.' is missing");
                return;
            }
            isReal = true;
        }
        if (i < end && (text[i] | 0x20) == 'e') {
            i = exponent(i);
            if (i < 0) {
                return;
            }
            isReal = true;
        }
        at = i;
        token = isReal ? real(from, i) : integer(from, i, digits);
        if (paper && i < end) {
            suffix(text[i]);
        }
    }

    /** The offset after an exponent, or -1 with a bad token. */
    private int exponent(int letter) {
        int i = letter + 1;
        if (i < end && (text[i] == '+' || text[i] == '-')) {
            i++;
        }
        int digits = i;
        while (i < end && isDigit(text[i])) {
            i++;
        }
        if (i == digits) {
            at = i;
            token = bad("an exponent must have digits", "");
            return -1;
        }
        return i;
    }

    /** The reference tokenises hexadecimal numbers and reads them as 0. */
    private void hexadecimal(int from) {
        int i = from;
        while (i < end && Character.digit(text[i], 16) >= 0) {
            i++;
        }
        at = i;
        integer = 0;
        token = i == from || oldIntegers
                ? bad("a hexadecimal number is not part of the language", "the decimal number was meant")
                : Token.INTEGER;
    }

    private Token real(int from, int to) {
        real = Numbers.parseReal(text, from, to);
        return Token.REAL;
    }

    private Token integer(int from, int to, int digits) {
        int first = to - digits;
        if (digits > 1 && text[first] == '0') {
            for (int i = first; i < to; i++) {
                if (oldIntegers || text[i] > '7') {
                    return bad("an integer must not begin with 0", "the zeros in front were meant to be left out");
                }
            }
        }
        integer = Numbers.parseInteger(text, from, to);
        return Token.INTEGER;
    }

    /** The papers' dialect: {@code 28M} is 28 times 2 to the 20th. */
    private void suffix(int letter) {
        int power = "BKMGT".indexOf(Bytes.upper((char) (letter & 0x7f)));
        if (power < 0 || token == Token.BAD || Name.folded((byte) peek(1)) != 0 && peek(1) >= 0) {
            return;
        }
        at++;
        if (token == Token.REAL) {
            real = Math.scalb(real, 10 * power);
        } else {
            integer <<= 10 * power;
        }
    }

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

    private boolean follows(char c) {
        if (peek(0) == c) {
            at++;
            return true;
        }
        return false;
    }

    /** Two dots are read as one, as in the reference. */
    private Token dot() {
        follows('.');
        return Token.DOT;
    }

    private Token rightShift() {
        return follows('>') ? Token.SHIFT_RIGHT_UNSIGNED : Token.SHIFT_RIGHT;
    }

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

    private Token question() {
        int i = at;
        while (i < end && isSpace(text[i])) {
            i++;
        }
        if (i < end && text[i] == ':') {
            at = i + 1;
            return Token.ELVIS;
        }
        return Token.QUESTION;
    }
}
