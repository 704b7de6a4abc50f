package org.metasched.classad;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Bytes;

/**
 * The expressions of recently parsed texts. The ads of a pool repeat the same policies and values; each text is parsed,
 * compiled and stored once. Three direct-mapped tables of fixed size: no locks, no growth, and a lost entry costs a parse.
 *
 * <p>Entries are immutable and read without synchronisation, so a race at worst parses a text twice.
 */
final class ExprCache {

    private static final int TEXTS = 1 << 14;
    private static final int STRINGS = 1 << 14;
    private static final int INTEGERS = 1 << 13;
    private static final int LONGEST_TEXT = 4096;
    private static final int LONGEST_STRING = 256;

    private static final @Nullable Entry[] TEXT_TABLE = new Entry[TEXTS];
    private static final @Nullable Literal[] STRING_TABLE = new Literal[STRINGS];
    private static final @Nullable Literal[] INTEGER_TABLE = new Literal[INTEGERS];

    private ExprCache() {}

    private record Entry(int hash, int flags, byte[] text, Expr expr) {}

    private static int flags(Reading reading) {
        return (reading.syntax() == Syntax.OLD ? 1 : 0)
                | (reading.mode() == Mode.OLD ? 2 : 0)
                | (reading.dialect() == Dialect.PAPER ? 4 : 0)
                | reading.limits().parserLevels() << 3;
    }

    static int hash(byte[] text, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + text[i];
        }
        return hash;
    }

    private static int place(int hash, int size) {
        return (hash ^ hash >>> 15 ^ hash >>> 23) & size - 1;
    }

    static @Nullable Expr find(byte[] text, int from, int to, Reading reading) {
        int hash = hash(text, from, to);
        Entry entry = TEXT_TABLE[place(hash, TEXTS)];
        return entry != null
                        && entry.hash == hash
                        && entry.flags == flags(reading)
                        && Arrays.equals(entry.text, 0, entry.text.length, text, from, to)
                ? entry.expr
                : null;
    }

    static Expr store(byte[] text, int from, int to, Reading reading, Expr expr) {
        if (to - from <= LONGEST_TEXT) {
            int hash = hash(text, from, to);
            TEXT_TABLE[place(hash, TEXTS)] = new Entry(hash, flags(reading), Arrays.copyOfRange(text, from, to), expr);
        }
        return expr;
    }

    static Literal integer(long value) {
        int place = place((int) (value ^ value >>> 32), INTEGERS);
        Literal cached = INTEGER_TABLE[place];
        if (cached != null && ((Value.Int) cached.value()).value() == value) {
            return cached;
        }
        Literal literal = Literal.of(value);
        INTEGER_TABLE[place] = literal;
        return literal;
    }

    /** A literal of the bytes between two offsets. */
    static Literal string(byte[] text, int from, int to) {
        if (to - from > LONGEST_STRING) {
            return new Literal(new Value.Text(Bytes.string(text, from, to)));
        }
        int place = place(hash(text, from, to), STRINGS);
        Literal cached = STRING_TABLE[place];
        if (cached != null && same(((Value.Text) cached.value()).octets(), text, from, to)) {
            return cached;
        }
        var literal = new Literal(new Value.Text(Bytes.string(text, from, to)));
        STRING_TABLE[place] = literal;
        return literal;
    }

    private static boolean same(String octets, byte[] text, int from, int to) {
        if (octets.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (octets.charAt(i - from) != (text[i] & 0xff)) {
                return false;
            }
        }
        return true;
    }
}
