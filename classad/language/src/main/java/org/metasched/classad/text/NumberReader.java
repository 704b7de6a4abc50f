package org.metasched.classad.text;

/** Reads the numbers of a text; the last one is in the fields, so that reading makes no objects. */
public final class NumberReader {

    /** Kind of the text where a number was expected. */
    public enum Kind {
        INTEGER,
        REAL,
        BAD
    }

    private final byte[] text;
    private final int end;
    private final boolean oldIntegers;
    private final boolean paper;

    /** The offset after the number, or where it went wrong. */
    public int at;

    public long integer;
    public double real;

    /** Why there is no number, and perhaps what was meant. */
    public String reason = "";

    public String hint = "";

    /**
     * A reader of {@code text[..end)}.
     *
     * @param oldIntegers whether integers with zeros in front are refused, as HTCondor's tools do
     * @param paper whether the suffixes of the papers, as in {@code 28M}, are read
     */
    public NumberReader(byte[] text, int end, boolean oldIntegers, boolean paper) {
        this.text = text;
        this.end = end;
        this.oldIntegers = oldIntegers;
        this.paper = paper;
    }

    private int digitsEnd(int from) {
        int i = from;
        while (i < end && Bytes.isDigit(text[i])) {
            i++;
        }
        return i;
    }

    private int hexadecimalsEnd(int from) {
        int i = from;
        while (i < end && Character.digit(text[i], 16) >= 0) {
            i++;
        }
        return i;
    }

    private boolean follows(int i, char lowerCase) {
        return i < end && (text[i] | 0x20) == lowerCase;
    }

    private Kind bad(int where, String why, String maybe) {
        at = where;
        reason = why;
        hint = maybe;
        return Kind.BAD;
    }

    /** The number at an offset, perhaps with a minus: INTEGER, REAL or BAD. */
    public Kind read(int from) {
        int first = text[from] == '-' ? from + 1 : from;
        int digits = digitsEnd(first);
        boolean hexadecimal = digits == first + 1 && text[first] == '0' && follows(digits, 'x');
        if (hexadecimal) {
            int begin = digits + 1;
            digits = hexadecimalsEnd(begin);
            boolean whole = digits == end || text[digits] != '.';
            if (digits == begin || whole && oldIntegers && text[from] != '-') {
                return bad(digits, "a hexadecimal number is not part of the language", "the decimal number was meant");
            }
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
            if (!Bytes.isDigit(text[i - 1])) {
                return bad(i, "an exponent must have digits", "");
            }
        }
        at = i;
        if (hexadecimal) {
            // The reference tokenises hexadecimal integers and reads them as 0; with a point they are C's hexadecimal
            // reals.
            Double value = i == digits ? null : Numbers.prefix(Bytes.string(text, from, at));
            return value == null ? integer(0) : real(value);
        }
        Kind token = i == digits ? integer(from, first) : real(Numbers.parseReal(text, from, at));
        if (paper && i < end) {
            suffix(token);
        }
        return token;
    }

    private int exponentEnd(int letter) {
        int i = letter + 1;
        return digitsEnd(i < end && (text[i] == '+' || text[i] == '-') ? i + 1 : i);
    }

    private Kind real(double value) {
        real = value;
        return Kind.REAL;
    }

    private Kind integer(long value) {
        integer = value;
        return Kind.INTEGER;
    }

    private Kind integer(int from, int first) {
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
        return integer(Numbers.parseInteger(text, from, at));
    }

    /** The papers' dialect: {@code 28M} is 28 times 2 to the 20th. */
    private void suffix(Kind token) {
        int power = "BKMGT".indexOf(Bytes.upper((char) (text[at] & 0x7f)));
        if (power < 0 || token == Kind.BAD || at + 1 < end && Name.folded(text[at + 1]) != 0) {
            return;
        }
        at++;
        if (token == Kind.REAL) {
            real = Math.scalb(real, 10 * power);
        } else {
            integer <<= 10 * power;
        }
    }
}
