package org.metasched.classad;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.BoundedCache;
import org.metasched.classad.text.Name;

/**
 * The attribute names of an ad, with an index for each, without its expressions. Ads of the same names share a shape, so that an
 * ad costs one reference per attribute. Also an index: {@link #indexOf} finds a name in {@code O(1)}.
 *
 * <p>Shapes come from a fixed-size cache: two ads with the same names usually, not always, share one. Thread-safe, and immutable but
 * for {@link #isShared}.
 */
final class Shape {

    private static final Name MY = Name.of("my");
    private static final Name TARGET = Name.of("target");
    private static final Name OTHER = Name.of("other");

    static final Shape EMPTY = new Shape(new Name[0], 0);

    /** Names that a lookup in the table compares at most; with more, names of hashes chosen to collide would make lookups slow. */
    private static final int LONGEST_RUN = 256;

    private static final BoundedCache<Shape> CACHE = new BoundedCache<>(1 << 11, Shape::bytes);
    private static final Comparator<Name> LIBRARY_ORDER =
            Comparator.<Name>comparingInt(Name::length).thenComparing(Comparator.naturalOrder());

    private final Name[] names;
    private final int hash;

    /** The hash table of the names, with linear probing: 1 + the index of a name, 0 for a free place. */
    private final short[] table;

    /** The indexes of the names in order of the names, for a binary search; null unless too many hashes collide for the table. */
    private final int @Nullable [] sorted;

    /** Whether the ad has an attribute called {@code MY}, {@code TARGET} or {@code other}, which hides that side of a match. */
    private final boolean hidesSides;

    /** The names that this shape has beside {@link #names}; their slots follow those of these. */
    private final @Nullable OwnNames own;

    /** Whether a second ad has asked for this shape. Goes from false to true; a reader may see it late. */
    private boolean shared;

    /** The places of a table of so many names, a power of two: at most three quarters are taken. */
    static int places(int names) {
        return Integer.highestOneBit(Math.max(4, names * 3 / 2) - 1) * 2;
    }

    /** Whether it names a side of a match, {@code MY}, {@code TARGET} or {@code other}. */
    static boolean isSide(Name name) {
        return name.same(MY) || name.same(TARGET) || name.same(OTHER);
    }

    private Shape(Name[] names, int hash) {
        this.names = names;
        this.hash = hash;
        this.table = new short[places(names.length)];
        boolean spread = true;
        for (int i = 0; i < names.length && spread; i++) {
            spread = insert(i);
        }
        spread = spread && longestRun() <= LONGEST_RUN;
        sorted = spread ? null : order(names, Comparator.naturalOrder());
        own = null;
        hidesSides = indexOf(MY) >= 0 || indexOf(TARGET) >= 0 || indexOf(OTHER) >= 0;
    }

    private Shape(Shape common, OwnNames own) {
        this.names = common.names;
        this.hash = common.hash;
        this.table = common.table;
        this.sorted = common.sorted;
        this.hidesSides = common.hidesSides;
        this.own = own;
    }

    /** The indexes of the names in the order of a comparator. */
    private static int[] order(Name[] names, Comparator<Name> by) {
        var order = new Integer[names.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> by.compare(names[a], names[b]));
        return Arrays.stream(order).mapToInt(i -> i).toArray();
    }

    /** The length of the longest run of taken places in the table, which a lookup goes through at worst, or an upper bound of it. */
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

    /** The most attributes an ad can have: the entries of the table have 16 bits. */
    static final int MOST_NAMES = 30_000;

    /** The shape of the first {@code count} names, which must be distinct names; the array is copied. */
    static Shape of(Name[] names, int count) {
        OwnNames own = OwnNames.among(names, count);
        return own == null ? common(names, count) : apart(names, count, own);
    }

    private static Shape common(Name[] names, int count) {
        Shape cached = cached(names, count);
        if (cached != null) {
            return cached;
        }
        int hash = hash(names, count);
        var shape = new Shape(Arrays.copyOf(names, count), hash);
        CACHE.put(place(hash), shape);
        return shape;
    }

    private static Shape apart(Name[] names, int count, OwnNames own) {
        int common = count - own.size();
        var shared = new Name[common];
        for (int position = 0; position < count; position++) {
            int slot = own.slot(position, common);
            if (slot < common) {
                shared[slot] = names[position];
            }
        }
        return new Shape(common(shared, common), own);
    }

    /** The cached shape of the first {@code count} names, or null. A shape in the cache proves that the names are distinct. */
    static @Nullable Shape cached(Name[] names, int count) {
        int hash = hash(names, count);
        Shape cached = CACHE.get(place(hash));
        if (cached == null || cached.hash != hash || !cached.hasExactly(names, count)) {
            return null;
        }
        cached.shared = true;
        return cached;
    }

    /** Whether a second ad has asked for this shape. {@link Lookup.Memo} refers to shared shapes only, lest it keep one ad's alive. */
    boolean isShared() {
        return shared;
    }

    /** Whether the ad has an attribute with the name of a side of a match: {@code MY}, {@code TARGET} or {@code other}. */
    boolean hidesSide(Name side) {
        return hidesSides && indexOf(side) >= 0;
    }

    /** The bytes that this shape keeps alive, about, with its names: as a rule nothing else refers to them. */
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

    /** Enters a name into the table; false if it would stand more than {@link #LONGEST_RUN} places behind that of its hash. */
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

    /** Mixes the high bits of a hash into the low ones, which choose the place. */
    static int spread(int hash) {
        return hash ^ hash >>> 7 ^ hash >>> 15;
    }

    /** The index of a name, in any case, or -1. The names that an ad has for its own follow the others. {@code O(1)}, or {@code O(log n)} if too many hashes collide. */
    int indexOf(Name name) {
        int index = sorted == null ? hashed(name) : searched(name, sorted);
        if (index >= 0 || own == null) {
            return index;
        }
        int number = own.indexOf(name);
        return number < 0 ? -1 : names.length + number;
    }

    /** Whether the name of an index, which may be larger than any here, is this one. */
    boolean hasAt(int index, Name name) {
        return own != null && own.has(index - names.length, name);
    }

    Name name(int index) {
        return own == null || index < names.length ? names[index] : own.name(index - names.length);
    }

    /** The index of the name that was set at a position, from 0 on. */
    int indexSetAt(int position) {
        return own == null ? position : own.slot(position, names.length);
    }

    /** The index of a name by binary search, or -1. */
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

    /** The index of a name by the hash table, or -1. */
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

    /** The names that ads share, at their indexes. The array is not copied: the caller must not change it. */
    Name[] names() {
        return names;
    }

    /** The indexes in the order the reference prints attributes: shorter names first, then by name in any case. */
    int[] libraryOrder() {
        int count = names.length + (own == null ? 0 : own.size());
        return order(IntStream.range(0, count).mapToObj(this::name).toArray(Name[]::new), LIBRARY_ORDER);
    }
}
