package org.metasched.classad.text;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An attribute name in one spelling. Names are equal without regard to ASCII case. Spellings that come again are
 * kept in a fixed-size cache, so that they are nearly always the same object, yet hostile ads cannot fill the memory with names.
 */
public final class Name implements Comparable<Name> {

    /** Longer names are not kept. */
    private static final int LONGEST_KEPT = 128;

    private static final BoundedCache<Name> CACHE = new BoundedCache<>(1 << 13, 128 + 2 * LONGEST_KEPT);

    /** For every byte its lower case if it may stand in an identifier, else 0. */
    private static final byte[] FOLDED = foldedIdentifierBytes();

    public final int hash;
    private final byte[] bytes;

    /** Made when it is asked for: most names of an ad are only compared. Two threads may each make one; either serves. */
    private @Nullable String lower;

    private Name(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    public static Name of(String spelling) {
        byte[] bytes = Bytes.bytes(spelling);
        return of(bytes, 0, bytes.length);
    }

    /** The name between two offsets of a text. */
    public static Name of(byte[] text, int start, int end) {
        return of(text, start, end, hash(text, start, end));
    }

    /** The name between two offsets of a text, when its {@link #hash(byte[], int, int) hash} is known already. */
    public static Name of(byte[] text, int start, int end, int hash) {
        int place = hash ^ hash >>> 13;
        Name cached = CACHE.get(place);
        if (cached != null
                && cached.hash == hash
                && Arrays.equals(cached.bytes, 0, cached.bytes.length, text, start, end)) {
            return cached;
        }
        var name = new Name(Arrays.copyOfRange(text, start, end), hash);
        // A race loses one cached object at worst: names compare by text when they are not identical.
        if (end - start <= LONGEST_KEPT && CACHE.isRepeated(place)) {
            CACHE.put(place, name);
        }
        return name;
    }

    public static int hash(byte[] text, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            byte b = text[i];
            hash = hash * 31 + (b >= 'A' && b <= 'Z' ? b + 32 : b);
        }
        return hash;
    }

    /** The lower case of a byte that may stand in an identifier, 0 for others. */
    public static byte folded(byte b) {
        return FOLDED[b & 0xff];
    }

    /** The name as it was written, a character for each byte. */
    public String spelling() {
        return Bytes.string(bytes, 0, bytes.length);
    }

    /** The name as it was written. */
    public String text() {
        return Bytes.decode(bytes, 0, bytes.length);
    }

    /** The name in lower case, a character for each byte. */
    public String lower() {
        String made = lower;
        if (made == null) {
            made = Bytes.lower(spelling());
            lower = made;
        }
        return made;
    }

    /** Bytes of the name. */
    public int length() {
        return bytes.length;
    }

    public boolean same(Name other) {
        return this == other || hash == other.hash && (Arrays.equals(bytes, other.bytes) || compareTo(other) == 0);
    }

    /** Whether it is the same name in the same case. */
    public boolean isSpelledAs(Name other) {
        return this == other || hash == other.hash && Arrays.equals(bytes, other.bytes);
    }

    public boolean is(String lowerCase) {
        return bytes.length == lowerCase.length() && lower().equals(lowerCase);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Name name && same(name);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Compares by text without regard to case: tables that meet many equal hashes stay quick. */
    @Override
    public int compareTo(Name other) {
        int shorter = Math.min(bytes.length, other.bytes.length);
        for (int i = 0; i < shorter; i++) {
            if (bytes[i] != other.bytes[i]) {
                int order = Bytes.lower((char) (bytes[i] & 0xff)) - Bytes.lower((char) (other.bytes[i] & 0xff));
                if (order != 0) {
                    return order;
                }
            }
        }
        return bytes.length - other.bytes.length;
    }

    @Override
    public String toString() {
        return spelling();
    }

    private static byte[] foldedIdentifierBytes() {
        var folded = new byte[256];
        for (int c = 0; c < 128; c++) {
            boolean part = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
            folded[c] = part ? (byte) Bytes.lower((char) c) : 0;
        }
        return folded;
    }
}
