package org.metasched.classad.text;

/** A reader of the numbers in a text. The last number is in the fields, so that reading makes no objects. Not thread-safe. */
public final class NumberReader {

    /** The kinds of number that {@link #read} finds. */
    public enum Kind {
        /** An integer, in {@link NumberReader#integer}. */
        INTEGER,
        /** A real, in {@link NumberReader#real}. */
        REAL,
        /** A malformed number, with the reason in {@link NumberReader#reason}. */
        BAD
    }

    private final byte[] text;
    private final int end;
    private final boolean oldIntegers;
    private final boolean paper;

    /** The offset behind the last number, or of the byte that made it malformed. */
    public int at;

    /** The last integer. */
    public long integer;

    /** The last real. */
    public double real;

    /** The reason why the last number is malformed, for an error message. */
    public String reason = "";

    /** The probable intention of the author of a malformed number; may be empty. */
    public String hint = "";

    /**
     * A reader of {@code text[..end)}.
     *
     * @param oldIntegers whether integers with leading zeros and hexadecimal integers are refused, unless a minus precedes them, as in
     *     HTCondor's tools
     * @param paper whether the suffixes of the papers are read: {@code 28M} is 28 · 2²⁰
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

    /** Whether this letter stands at an offset, ignoring case. */
    private boolean follows(int i, char lowerCase) {
        return i < end && (text[i] | 0x20) == lowerCase;
    }

    private Kind bad(int offset, String why, String probableIntention) {
        at = offset;
        reason = why;
        hint = probableIntention;
        return Kind.BAD;
    }

    /** Reads the number at an offset, where a minus, a digit or a point stands, into the fields; returns its kind. */
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
            // The reference takes hexadecimal integers as tokens, but as the number 0; with a point, they are C's
            // hexadecimal reals.
            Double value = i == digits ? null : Numbers.prefix(Bytes.string(text, from, at));
            return value == null ? integer(0) : real(value);
        }
        Kind token = i == digits ? integer(from, first) : real(Numbers.parseReal(text, from, at));
        if (paper && i < end) {
            suffix(token);
        }
        return token;
    }

    /** The offset behind the sign and digits that follow the letter {@code e} of an exponent. */
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

    /** The decimal integer in {@code text[from..at)}, whose digits begin at {@code first}; a leading zero allows octal digits only. */
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

    /** Multiplies the last number by the power of 1,024 that a suffix {@code B K M G T} of the papers stands for, if one follows. */
    private void suffix(Kind token) {
        int power = "BKMGT".indexOf(Bytes.upper((char) (text[at] & 0xff)));
        if (power < 0 || token == Kind.BAD || at + 1 < end && Name.folded(text[at + 1]) != 0) {
            return;
        }
        at++;
        if (token == Kind.REAL) {
            real = Math.scalb(real, 10 * power);
        } else {
            // An integer that does not fit 64 bits is 0, as without a suffix.
            integer = integer << 10 * power >> 10 * power == integer ? integer << 10 * power : 0;
        }
    }
}
