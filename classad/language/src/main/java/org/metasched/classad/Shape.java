package org.metasched.classad;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.BoundedCache;
import org.metasched.classad.text.Name;

/**
 * The attribute names of an ad, in order, apart from its expressions. Ads of one kind share a shape, so an ad costs one
 * reference per attribute.
 *
 * <p>Shapes come from a fixed-size cache: two ads with the same names usually, not always, share one. Immutable.
 */
final class Shape {

    private static final Name MY = Name.of("my");
    private static final Name TARGET = Name.of("target");
    private static final Name OTHER = Name.of("other");

    static final Shape EMPTY = new Shape(new Name[0], 0);

    private static final int LONGEST_RUN = 256;
    private static final BoundedCache<Shape> CACHE = new BoundedCache<>(1 << 11, Shape::bytes);
    private static final Comparator<Name> LIBRARY_ORDER =
            Comparator.<Name>comparingInt(Name::length).thenComparing(Comparator.naturalOrder());

    private final Name[] names;
    private final int hash;
    private final short[] table;

    /** Indexes by name, if the hashes of the names are too much alike for the table; else null. */
    private final int @Nullable [] sorted;

    /** Whether a name is that of a side: then {@code MY}, {@code TARGET} or {@code other} is an attribute. */
    private final boolean hidesSides;

    /** Whether another ad with these names has been met: only then is it worth remembering which name it lacks. */
    private boolean shared;

    private Shape(Name[] names, int hash) {
        this.names = names;
        this.hash = hash;
        this.table = new short[Integer.highestOneBit(Math.max(4, names.length * 3 / 2) - 1) * 2];
        boolean spread = true;
        for (int i = 0; i < names.length && spread; i++) {
            spread = insert(i);
        }
        spread = spread && longestRun() <= LONGEST_RUN;
        sorted = spread ? null : order(names, Comparator.naturalOrder());
        hidesSides = indexOf(MY) >= 0 || indexOf(TARGET) >= 0 || indexOf(OTHER) >= 0;
    }

    private static int[] order(Name[] names, Comparator<Name> by) {
        var order = new Integer[names.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> by.compare(names[a], names[b]));
        return Arrays.stream(order).mapToInt(i -> i).toArray();
    }

    /** The most places of the table in a row that are taken: what looking up a name costs at worst. */
    private int longestRun() {
        if (names.length <= LONGEST_RUN) {
            return names.length;
        }
        int longest = 0;
        int run = 0;
        for (int i = 0; i < 2 * table.length && run <= LONGEST_RUN; i++) {
            run = table[i & table.length - 1] == 0 ? 0 : run + 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    /** Most attributes an ad may have: places are 16 bits wide. */
    static final int MOST_NAMES = 30_000;

    /** The shape of these names, which must be distinct. */
    static Shape of(Name[] names, int count) {
        Shape cached = cached(names, count);
        if (cached != null) {
            return cached;
        }
        int hash = hash(names, count);
        var shape = new Shape(Arrays.copyOf(names, count), hash);
        CACHE.put(place(hash), shape);
        return shape;
    }

    /** The cached shape of these names, or null; a cached shape has distinct names. */
    static @Nullable Shape cached(Name[] names, int count) {
        int hash = hash(names, count);
        Shape cached = CACHE.get(place(hash));
        if (cached == null || cached.hash != hash || !cached.hasExactly(names, count)) {
            return null;
        }
        cached.shared = true;
        return cached;
    }

    /** Whether ads share this shape: else a place that looks a name up must not keep the shape alive. */
    boolean isShared() {
        return shared;
    }

    /** Whether it has the name of a side, {@code MY}, {@code TARGET} or {@code other}. */
    boolean hidesSide(Name side) {
        return hidesSides && indexOf(side) >= 0;
    }

    /** The names are as a rule not kept elsewhere. */
    private long bytes() {
        long bytes = 64 + 12L * names.length;
        for (Name name : names) {
            bytes += 64 + 2L * name.length();
        }
        return bytes;
    }

    private static int hash(Name[] names, int count) {
        int hash = count;
        for (int i = 0; i < count; i++) {
            hash = hash * 31 + names[i].hash;
        }
        return hash;
    }

    private static int place(int hash) {
        return hash ^ hash >>> 16;
    }

    private boolean hasExactly(Name[] others, int count) {
        if (names.length != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!names[i].isSpelledAs(others[i])) {
                return false;
            }
        }
        return true;
    }

    /** False if the place of a name is too far from where its hash points. */
    private boolean insert(int index) {
        int mask = table.length - 1;
        int at = spread(names[index].hash) & mask;
        for (int probes = 0; table[at] != 0; probes++) {
            if (probes > LONGEST_RUN) {
                return false;
            }
            at = at + 1 & mask;
        }
        table[at] = (short) (index + 1);
        return true;
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 7 ^ hash >>> 15;
    }

    /** Where this shape keeps a name, or -1. */
    int indexOf(Name name) {
        return sorted == null ? hashed(name) : searched(name, sorted);
    }

    private int searched(Name name, int[] order) {
        int low = 0;
        int high = order.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int way = names[order[middle]].compareTo(name);
            if (way == 0) {
                return order[middle];
            }
            low = way < 0 ? middle + 1 : low;
            high = way > 0 ? middle - 1 : high;
        }
        return -1;
    }

    private int hashed(Name name) {
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

    Name name(int index) {
        return names[index];
    }

    /** The names, first in spelling order of this shape. Not to be changed by the caller. */
    Name[] names() {
        return names;
    }

    /** Indexes in the order the reference prints: shorter names first, then by case-insensitive name. */
    int[] libraryOrder() {
        return order(names, LIBRARY_ORDER);
    }
}
