package org.metasched.classad;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.BoundedCache;
import org.metasched.classad.text.Name;
import org.metasched.classad.text.OwnNames;

/**
 * The attribute names of an ad, with an index for each, without its expressions. Ads of the same names share a shape, so that an
 * ad costs one reference per attribute. Ads that have the same names but for some {@link OwnNames} share all but these.
 *
 * <p>Shapes come from a fixed-size cache: two ads with the same names usually, not always, share one. Thread-safe, and immutable but
 * for {@link #isShared}.
 */
final class Shape {

    static final Shape EMPTY = new Shape(new Name[0], 0);

    private static final BoundedCache<Shape> CACHE = new BoundedCache<>(1 << 11, Shape::bytes);
    private static final Comparator<Name> LIBRARY_ORDER =
            Comparator.<Name>comparingInt(Name::length).thenComparing(Comparator.naturalOrder());

    private final Name[] names;
    private final int hash;

    /** Not changed after construction. */
    private final Map<Name, Integer> indexes;

    /** Whether the ad has an attribute called {@code MY}, {@code TARGET} or {@code other}, which hides that side of a match. */
    private final boolean hidesSides;

    /** The names that this shape has beside {@link #names}, whose slots precede theirs. */
    private final @Nullable OwnNames own;

    /** Whether a second ad has asked for this shape. Goes from false to true; a reader may see it late. */
    private boolean shared;

    private Shape(Name[] names, int hash) {
        this.names = names;
        this.hash = hash;
        this.indexes = new HashMap<>(names.length * 2);
        for (int i = 0; i < names.length; i++) {
            indexes.put(names[i], i);
        }
        own = null;
        hidesSides = Arrays.stream(names).anyMatch(Name::isSide);
    }

    private Shape(Shape common, OwnNames own) {
        this.names = common.names;
        this.hash = common.hash;
        this.indexes = common.indexes;
        this.hidesSides = common.hidesSides;
        this.own = own;
    }

    /** The most attributes an ad can have. */
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

    /**
     * Whether a second ad has asked for this shape. {@link Lookup.Memo} refers only to shared shapes, so that it keeps none alive
     * for one ad.
     */
    boolean isShared() {
        return shared;
    }

    /** Whether the ad has an attribute with the name of a side of a match: {@code MY}, {@code TARGET} or {@code other}. */
    boolean hidesSide(Name side) {
        return hidesSides && indexOf(side) >= 0;
    }

    /** The bytes that this shape keeps alive, about, with its names: as a rule nothing else refers to them. */
    private long bytes() {
        return 64
                + Arrays.stream(names)
                        .mapToLong(name -> 128 + 2L * name.length())
                        .sum();
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

    /** The index of a name, ignoring case, or -1. {@code O(1)}; {@code O(log n)} if the hashes of all names collide. */
    int indexOf(Name name) {
        Integer index = indexes.get(name);
        if (index != null || own == null) {
            return index == null ? -1 : index;
        }
        int number = own.indexOf(name);
        return number < 0 ? -1 : names.length + number;
    }

    /** Whether an index behind the last of {@link #names} belongs to an own name that equals this one. */
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

    /** The names that ads share, at their indexes. The array is not copied: the caller must not change it. */
    Name[] names() {
        return names;
    }

    /** The indexes in the order the reference prints attributes: shorter names first, then by name, ignoring case. */
    int[] libraryOrder() {
        int count = names.length + (own == null ? 0 : own.size());
        Name[] all = IntStream.range(0, count).mapToObj(this::name).toArray(Name[]::new);
        return IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(i -> all[i], LIBRARY_ORDER))
                .mapToInt(i -> i)
                .toArray();
    }
}
