package org.metasched.classad;

import java.util.Arrays;
import java.util.Comparator;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * The attribute names of an ad, in order, apart from its expressions. Ads of one kind share a shape, so an ad costs one
 * reference per attribute, and a place that looks one name up remembers for which shape it found it where.
 *
 * <p>Shapes come from a fixed-size cache: two ads with the same names usually, not always, share one. Immutable.
 */
final class Shape {

    static final Shape EMPTY = new Shape(new Name[0], 0);

    private static final int CACHED = 1 << 11;
    private static final Shape[] CACHE = new Shape[CACHED];
    private static final Comparator<Name> LIBRARY_ORDER = Comparator.<Name>comparingInt(n -> n.spelling.length())
            .thenComparing((a, b) -> Bytes.compareIgnoringCase(a.spelling, b.spelling));

    private final Name[] names;
    private final int hash;
    private final short[] table;
    private final Slot[] slots;

    /** Where a shape keeps a name; {@code index} is -1 when it has none. */
    record Slot(Shape shape, int index) {}

    private Shape(Name[] names, int hash) {
        this.names = names;
        this.hash = hash;
        this.table = new short[Integer.highestOneBit(Math.max(4, names.length * 3) - 1) * 2];
        this.slots = new Slot[names.length];
        for (int i = 0; i < names.length; i++) {
            slots[i] = new Slot(this, i);
            insert(i);
        }
    }

    /** Most attributes an ad may have: places are 16 bits wide. */
    static final int MOST_NAMES = 30_000;

    /** The shape of these names, which must be distinct. */
    static Shape of(Name[] names, int count) {
        int hash = hash(names, count);
        int place = (hash ^ hash >>> 16) & CACHED - 1;
        Shape cached = CACHE[place];
        if (cached != null && cached.hash == hash && cached.hasExactly(names, count)) {
            return cached;
        }
        var shape = new Shape(Arrays.copyOf(names, count), hash);
        CACHE[place] = shape;
        return shape;
    }

    /** The cached shape of these names, or null; a cached shape has distinct names. */
    static @org.jspecify.annotations.Nullable Shape cached(Name[] names, int count) {
        int hash = hash(names, count);
        Shape cached = CACHE[(hash ^ hash >>> 16) & CACHED - 1];
        return cached != null && cached.hash == hash && cached.hasExactly(names, count) ? cached : null;
    }

    private static int hash(Name[] names, int count) {
        int hash = count;
        for (int i = 0; i < count; i++) {
            hash = hash * 31 + names[i].hash;
        }
        return hash;
    }

    private boolean hasExactly(Name[] others, int count) {
        if (names.length != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (names[i] != others[i] && !names[i].spelling.equals(others[i].spelling)) {
                return false;
            }
        }
        return true;
    }

    private void insert(int index) {
        int mask = table.length - 1;
        int at = spread(names[index].hash) & mask;
        while (table[at] != 0) {
            at = at + 1 & mask;
        }
        table[at] = (short) (index + 1);
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 7 ^ hash >>> 15;
    }

    /** Where this shape keeps a name, or -1. */
    int indexOf(Name name) {
        int mask = table.length - 1;
        int at = spread(name.hash) & mask;
        int entry;
        while ((entry = table[at]) != 0) {
            if (names[entry - 1].same(name)) {
                return entry - 1;
            }
            at = at + 1 & mask;
        }
        return -1;
    }

    Slot slotOf(Name name) {
        int index = indexOf(name);
        return index < 0 ? new Slot(this, -1) : slots[index];
    }

    int size() {
        return names.length;
    }

    Name name(int index) {
        return names[index];
    }

    /** The names, first in spelling order of this shape. Not to be changed by the caller. */
    Name[] names() {
        return names;
    }

    /** Indexes in the order the reference prints: shorter names first, then by case-insensitive name. */
    int[] libraryOrder() {
        var order = new Integer[names.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> LIBRARY_ORDER.compare(names[a], names[b]));
        return Arrays.stream(order).mapToInt(i -> i).toArray();
    }
}
