package org.metasched.classad.text;

import org.jspecify.annotations.Nullable;

/**
 * The own names of an ad: those that no other ad is known to have. They are kept in one text, apart from the names that the ad
 * shares with others, so that an own name takes some 20 bytes instead of 60. Immutable.
 *
 * <p>An ad has its attributes in slots: first those of the shared names, then those of its own names, each in the order they were set.
 */
public final class OwnNames {

    /** The fewest own names for which an object saves more than it costs. */
    private static final int FEWEST = 8;

    /** The most names whose number, counted from 1, fits a byte of the table. */
    private static final int MOST = 255;

    /** The longest text whose offsets fit {@link #ends}. */
    private static final int LONGEST_TEXT = 0xffff;

    /** Larger ads have no own names, since {@link #slot} counts the bits before a position. */
    private static final int MOST_ATTRIBUTES = 4096;

    private final byte[] text;

    /** For each name the offset behind its last byte, as an unsigned number. */
    private final short[] ends;

    /** Numbers of names, counted from 1, in the places their hashes point to; 0 is free. */
    private final byte[] table;

    /** A bit for each attribute in the order they were set: 1 for a name of this object. */
    private final long[] positions;

    private OwnNames(Name[] names, int count, long[] positions, int owned, int length) {
        text = new byte[length];
        ends = new short[owned];
        table = new byte[Integer.highestOneBit(owned * 3 / 2) * 2];
        this.positions = positions;
        int number = 0;
        int end = 0;
        for (int position = 0; position < count; position++) {
            Name name = names[position];
            if ((positions[position >>> 6] >>> position & 1) != 0) {
                name.copyTo(text, end);
                end += name.length();
                ends[number++] = (short) end;
                table[freePlace(name)] = (byte) number;
            }
        }
    }

    /** The own names among the first {@code count} names, which are distinct; null if they are too few or too many to be kept apart. */
    public static @Nullable OwnNames among(Name[] names, int count) {
        // Each name is looked up in the cache once: meanwhile another thread may add or evict it.
        var positions = new long[count + 63 >>> 6];
        int owned = 0;
        int length = 0;
        for (int i = 0; i < count && count <= MOST_ATTRIBUTES; i++) {
            if (!names[i].isKept() && !names[i].isSide()) {
                positions[i >>> 6] |= 1L << i;
                owned++;
                length += names[i].length();
            }
        }
        return owned < FEWEST || owned > MOST || length > LONGEST_TEXT
                ? null
                : new OwnNames(names, count, positions, owned, length);
    }

    /** The place in the table where the search for a name begins, by all bits of its hash. */
    private int place(Name name) {
        return (name.hash ^ name.hash >>> 7 ^ name.hash >>> 15) & table.length - 1;
    }

    private int freePlace(Name name) {
        int place = place(name);
        while (table[place] != 0) {
            place = place + 1 & table.length - 1;
        }
        return place;
    }

    /** The number of own names. */
    public int size() {
        return ends.length;
    }

    /** The index of a name, from 0, or -1. Compares {@value #MOST} names at worst. */
    public int indexOf(Name name) {
        int place = place(name);
        while (table[place] != 0) {
            int index = (table[place] & 0xff) - 1;
            if (has(index, name)) {
                return index;
            }
            place = place + 1 & table.length - 1;
        }
        return -1;
    }

    /** Whether the name at an index, which may be behind the last, is this one. */
    public boolean has(int index, Name name) {
        return index < ends.length && name.isAt(text, start(index), ends[index] & 0xffff);
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1] & 0xffff;
    }

    /** The name at an index. */
    public Name name(int index) {
        return Name.of(text, start(index), ends[index] & 0xffff);
    }

    /** The slot of the attribute that was set at a position, from 0, in an ad with {@code shared} names that are not own. */
    public int slot(int position, int shared) {
        int before = 0;
        for (int i = 0; i < position >>> 6; i++) {
            before += Long.bitCount(positions[i]);
        }
        long bit = 1L << position;
        long bits = positions[position >>> 6];
        before += Long.bitCount(bits & bit - 1);
        return (bits & bit) == 0 ? position - before : shared + before;
    }
}
