package org.metasched.classad.text;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The name of an attribute or a function in one spelling. Names are equal without regard to ASCII case. Immutable; thread-safe.
 *
 * <p>A spelling that comes a second time is cached, so that names of one spelling are nearly always the same object. The cache has
 * a fixed size: hostile ads cannot fill the memory with names.
 */
public final class Name implements Comparable<Name> {

    /** The length of the longest keyword, {@code undefined}. */
    private static final int LONGEST_KEYWORD = 9;

    /** The most bytes of a name that is cached. */
    private static final int LONGEST_KEPT = 128;

    private static final BoundedCache<Name> CACHE = new BoundedCache<>(1 << 13, 128 + 2 * LONGEST_KEPT);

    /** For every byte its lower case if it may stand in an identifier, else 0. */
    private static final byte[] FOLDED = foldedIdentifierBytes();

    /** The hash of the lower-case name, as {@link #hash(byte[], int, int)} computes it. */
    public final int hash;

    private final byte[] bytes;

    /** The result of {@link #lower()}, made by its first call: most names are only compared. A race makes two equal texts. */
    private @Nullable String lower;

    private Name(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    /** The name of a byte string ({@link Bytes}), which may be empty. */
    public static Name of(String spelling) {
        byte[] bytes = Bytes.bytes(spelling);
        return of(bytes, 0, bytes.length);
    }

    /** The name in {@code text[start..end)}. */
    public static Name of(byte[] text, int start, int end) {
        return of(text, start, end, hash(text, start, end));
    }

    /** The name in {@code text[start..end)}, whose {@link #hash(byte[], int, int) hash} the caller has computed while reading it. */
    public static Name of(byte[] text, int start, int end, int hash) {
        int place = place(hash);
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

    private static int place(int hash) {
        return hash ^ hash >>> 13;
    }

    /** The hash of the name in {@code text[start..end)} without regard to ASCII case: {@code hash * 31 + lower case}, byte by byte. */
    public static int hash(byte[] text, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            byte b = text[i];
            hash = hash * 31 + (b >= 'A' && b <= 'Z' ? b + 32 : b);
        }
        return hash;
    }

    /** The lower case of a byte that may stand in an identifier (ASCII letter, digit, underscore); 0 for other bytes. */
    public static byte folded(byte b) {
        return FOLDED[b & 0xff];
    }

    /** The name as it was written, as a byte string: a char for each byte. */
    public String spelling() {
        return Bytes.string(bytes, 0, bytes.length);
    }

    /** The name as it was written, as Java text: its bytes are read as UTF-8. */
    public String text() {
        return Bytes.decode(bytes, 0, bytes.length);
    }

    /** The name with its ASCII letters in lower case, as a byte string. */
    public String lower() {
        String made = lower;
        if (made == null) {
            made = Bytes.lower(spelling());
            lower = made;
        }
        return made;
    }

    /** The length of the name in bytes. */
    public int length() {
        return bytes.length;
    }

    /** Whether both are the same name, ignoring case; as {@link #equals}, without the test of the type. */
    public boolean same(Name other) {
        return this == other || hash == other.hash && (Arrays.equals(bytes, other.bytes) || compareTo(other) == 0);
    }

    /** Whether both are the same name in the same case. */
    public boolean isSpelledAs(Name other) {
        return this == other || hash == other.hash && Arrays.equals(bytes, other.bytes);
    }

    /** Whether the lower case of this name is this byte string. */
    public boolean is(String lowerCase) {
        return bytes.length == lowerCase.length() && lower().equals(lowerCase);
    }

    /** Whether this is a keyword of the language, ignoring case: a keyword names an attribute only in quotes. */
    public boolean isKeyword() {
        // For longer names lower() is not called: each name keeps its result as long as the ad lives.
        return bytes.length <= LONGEST_KEYWORD
                && switch (lower()) {
                    case "true", "false", "undefined", "error", "is", "isnt" -> true;
                    default -> false;
                };
    }

    /** Whether this names a side of a match: {@code MY}, {@code TARGET} or {@code other}. */
    public boolean isSide() {
        return is("my") || is("target") || is("other");
    }

    /** Whether the cache has this name: then, as a rule, it was read at least twice. */
    public boolean isKept() {
        return CACHE.get(place(hash)) == this;
    }

    /** Whether {@code text[start..end)} is this name, ignoring case. */
    public boolean isAt(byte[] text, int start, int end) {
        return end - start == bytes.length
                && (Arrays.equals(bytes, 0, bytes.length, text, start, end)
                        || hash == hash(text, start, end)
                                && compareTo(new Name(Arrays.copyOfRange(text, start, end), hash)) == 0);
    }

    /** Copies the name, as it was written, to {@code text[start..]}. */
    public void copyTo(byte[] text, int start) {
        System.arraycopy(bytes, 0, text, start, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Name name && same(name);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /**
     * Compares byte by byte, ASCII letters in lower case. By this order a {@code HashMap} finds names of equal hashes in {@code
     * O(log n)}.
     */
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
