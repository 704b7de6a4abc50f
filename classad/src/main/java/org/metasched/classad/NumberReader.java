package org.metasched.classad;

/** Reads the numbers of a text; the last one is in the fields, so that reading makes no objects. */
final class NumberReader {

    private final byte[] text;
    private final int end;
    private final boolean oldIntegers;
    private final boolean paper;

    /** The offset after the number, or where it went wrong. */
    int at;

    long integer;
    double real;

    /** Why there is no number, and perhaps what was meant. */
    String reason = "";

    String hint = "";

    NumberReader(byte[] text, int end, Reading reading) {
        this.text = text;
        this.end = end;
        this.oldIntegers = reading.mode() == Mode.OLD;
        this.paper = reading.dialect() == Dialect.PAPER;
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private int digitsEnd(int from) {
        int i = from;
        while (i < end && isDigit(text[i])) {
            i++;
        }
        return i;
    }

    private boolean follows(int i, char lowerCase) {
        return i < end && (text[i] | 0x20) == lowerCase;
    }

    private Token bad(int where, String why, String maybe) {
        at = where;
        reason = why;
        hint = maybe;
        return Token.BAD;
    }

    /** The number at an offset, perhaps with a minus: INTEGER, REAL or BAD. */
    Token read(int from) {
        int first = text[from] == '-' ? from + 1 : from;
        int digits = digitsEnd(first);
        if (digits == first + 1 && text[first] == '0' && follows(digits, 'x')) {
            return hexadecimal(from, digits + 1);
        }
        int i = digits;
        if (i < end && text[i] == '.') {
            i = digitsEnd(digits + 1);
            if (i == digits + 1) {
                return bad(i, "a number must have a digit after its point", "a space before the '.' is missing");
            }
        }
        if (follows(i, 'e')) {
            i = exponentEnd(i);
            if (!isDigit(text[i - 1])) {
                return bad(i, "an exponent must have digits", "");
            }
        }
        at = i;
        Token token = i == digits ? integer(from, first) : real(from);
        if (paper && i < end) {
            suffix(token);
        }
        return token;
    }

    private int exponentEnd(int letter) {
        int i = letter + 1;
        return digitsEnd(i < end && (text[i] == '+' || text[i] == '-') ? i + 1 : i);
    }

    private Token real(int from) {
        real = Numbers.parseReal(text, from, at);
        return Token.REAL;
    }

    /** The reference looks for a zero in front only where no minus is. */
    private Token integer(int from, int first) {
        if (at == first) {
            return bad(at, "a number must have digits", "");
        }
        if (text[first] == '0' && at > first + 1) {
            boolean refused = oldIntegers && from == first;
            for (int i = first; i < at && !refused; i++) {
                refused = text[i] > '7';
            }
            if (refused) {
                return bad(at, "an integer must not begin with 0", "the zeros in front were meant to be left out");
            }
        }
        integer = Numbers.parseInteger(text, from, at);
        return Token.INTEGER;
    }

    /** The reference tokenises hexadecimal integers and reads them as 0; with a point they are C's hexadecimal reals. */
    private Token hexadecimal(int from, int first) {
        int i = first;
        while (i < end && Character.digit(text[i], 16) >= 0) {
            i++;
        }
        if (i > first && i + 1 < end && text[i] == '.' && isDigit(text[i + 1])) {
            at = digitsEnd(i + 1);
            return Numbers.prefix(Bytes.string(text, from, at)) instanceof Value.Real value
                    ? real(value.value())
                    : Token.BAD;
        }
        if (i == first || oldIntegers && text[from] != '-') {
            return bad(i, "a hexadecimal number is not part of the language", "the decimal number was meant");
        }
        at = i;
        integer = 0;
        return Token.INTEGER;
    }

    private Token real(double value) {
        real = value;
        return Token.REAL;
    }

    /** The papers' dialect: {@code 28M} is 28 times 2 to the 20th. */
    private void suffix(Token token) {
        int power = "BKMGT".indexOf(Bytes.upper((char) (text[at] & 0x7f)));
        if (power < 0 || token == Token.BAD || at + 1 < end && Name.folded(text[at + 1]) != 0) {
            return;
        }
        at++;
        if (token == Token.REAL) {
            real = Math.scalb(real, 10 * power);
        } else {
            integer <<= 10 * power;
        }
    }
}
