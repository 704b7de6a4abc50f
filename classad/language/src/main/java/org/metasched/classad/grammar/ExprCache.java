package org.metasched.classad.grammar;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Dialect;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.classad.text.BoundedCache;
import org.metasched.classad.text.Bytes;

/**
 * The cache of the expressions of recently parsed texts, as the ads of a pool repeat the same policies and values. It has three
 * {@linkplain BoundedCache caches} within the common budget of bytes: of texts that have come twice, of strings, and of integers. A
 * lost entry costs a parse.
 *
 * <p>Thread-safe: entries are immutable, and a race at worst parses a text twice.
 */
final class ExprCache {

    /** The most bytes of a text whose expression is cached. */
    private static final int LONGEST_TEXT = 4096;

    /** The most bytes of a string whose literal is cached. */
    private static final int LONGEST_STRING = 256;

    /** The bytes of memory that a node of a tree takes with its compiled code, about. */
    private static final int BYTES_OF_A_NODE = 160;

    private static final BoundedCache<Entry> TEXTS = new BoundedCache<>(1 << 14, Entry::bytes);
    private static final BoundedCache<Literal> STRINGS = new BoundedCache<>(1 << 14, 128 + LONGEST_STRING);
    private static final BoundedCache<Literal> INTEGERS = new BoundedCache<>(1 << 13, 64);

    private ExprCache() {}

    private record Entry(int hash, int flags, byte[] text, Expr expr, long bytes) {}

    /** The options that change how a text is read, as bits: a text may mean different expressions under different options. */
    private static int flags(ReadOptions reading) {
        return (reading.syntax() == Syntax.OLD ? 1 : 0)
                | (reading.mode() == LookupMode.OLD ? 2 : 0)
                | (reading.dialect() == Dialect.PAPER ? 4 : 0)
                | reading.limits().parserLevels() << 3;
    }

    /** A hash of {@code text[from..to)}; case matters. */
    static int hash(byte[] text, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + text[i];
        }
        return hash;
    }

    /** Mixes the high bits of a hash into the low ones, which choose the place in the cache. */
    private static int place(int hash) {
        return hash ^ hash >>> 15 ^ hash >>> 23;
    }

    /** The cached expression of {@code text[from..to)} read with these options, or null. */
    static @Nullable Expr find(byte[] text, int from, int to, ReadOptions reading) {
        int hash = hash(text, from, to);
        Entry entry = TEXTS.get(place(hash));
        return entry != null
                        && entry.hash == hash
                        && entry.flags == flags(reading)
                        && Arrays.equals(entry.text, 0, entry.text.length, text, from, to)
                ? entry.expr
                : null;
    }

    /**
     * Caches the expression of {@code text[from..to)} when the text comes the second time, and returns the expression.
     *
     * @param nodes the size of the expression as a tree
     */
    static Expr store(byte[] text, int from, int to, ReadOptions reading, Expr expr, int nodes) {
        if (to - from <= LONGEST_TEXT) {
            int hash = hash(text, from, to);
            if (!TEXTS.isRepeated(place(hash))) {
                return expr;
            }
            byte[] copy = Arrays.copyOfRange(text, from, to);
            long bytes = 64 + 3L * copy.length + (long) BYTES_OF_A_NODE * nodes;
            TEXTS.put(place(hash), new Entry(hash, flags(reading), copy, expr, bytes));
        }
        return expr;
    }

    /** The literal of an integer. */
    static Literal integer(long value) {
        int place = place((int) (value ^ value >>> 32));
        Literal cached = INTEGERS.get(place);
        if (cached != null && ((Value.Int) cached.value()).value() == value) {
            return cached;
        }
        Literal literal = Literal.of(value);
        INTEGERS.put(place, literal);
        return literal;
    }

    /** The string literal of the bytes {@code text[from..to)}. */
    static Literal string(byte[] text, int from, int to) {
        if (to - from > LONGEST_STRING) {
            return Literal.exactly(new Value.Text(Bytes.string(text, from, to)));
        }
        int place = place(hash(text, from, to));
        Literal cached = STRINGS.get(place);
        if (cached != null && same(((Value.Text) cached.value()).octets(), text, from, to)) {
            return cached;
        }
        var literal = Literal.exactly(new Value.Text(Bytes.string(text, from, to)));
        STRINGS.put(place, literal);
        return literal;
    }

    /** Whether a byte string equals {@code text[from..to)}. */
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
