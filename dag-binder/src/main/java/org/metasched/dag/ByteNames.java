package org.metasched.dag;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Numbers names from 0, in the order of their first appearance. Names are kept as bytes in one array: each takes its own length and
 * some twenty-five bytes. Look-up is {@code O(length)}. Not thread-safe.
 *
 * <p>A DAG file most often names the node it named last, or the one numbered after it. These are compared first, as they are in the
 * processor's cache; the rest of a table of a million names is not.
 */
final class ByteNames {

    private static final long NONE = -1;

    private byte[] text = new byte[256];
    private int used;
    /** By name, the index behind its last byte. */
    private int[] ends = new int[16];

    private int size;
    /** A hash table with linear probing. An entry has a name's hash in its upper 32 bits, and the name's number in the lower ones. */
    private long[] slots = newSlots(32);
    /** The number of the name found last. */
    private int last;
    /** The last number of the newest run of successive ones. */
    private int cursor;

    int size() {
        return size;
    }

    /** The number of the name in {@code bytes[from, to)}; a name not seen before is added. */
    int intern(byte[] bytes, int from, int to) {
        int guess = tryNeighbours(bytes, from, to);
        if (guess >= 0) {
            return guess;
        }
        int hash = hash(bytes, from, to);
        int slot = slotOf(bytes, from, to, hash);
        if (slots[slot] == NONE) {
            if (size * 4L >= slots.length * 3L) {
                rehash();
                slot = slotOf(bytes, from, to, hash);
            }
            slots[slot] = (long) hash << 32 | append(bytes, from, to);
        }
        last = (int) slots[slot];
        return last;
    }

    int intern(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return intern(bytes, 0, bytes.length);
    }

    /** Adds an entry without a name, and returns its number. */
    int addAnonymous() {
        return append(text, 0, 0);
    }

    String text(int number) {
        int start = start(number);
        return new String(text, start, ends[number] - start, StandardCharsets.UTF_8);
    }

    /** Copies a name of this table, with a prefix before it, into another table, and returns its number there. */
    int copyTo(ByteNames other, byte[] prefix, int number) {
        int start = start(number);
        int length = ends[number] - start;
        byte[] whole = Arrays.copyOf(prefix, prefix.length + length);
        System.arraycopy(text, start, whole, prefix.length, length);
        return other.intern(whole, 0, whole.length);
    }

    private int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    /** Compares with three names: that after {@code cursor}, {@code last}, and that after {@code last}. Moves both; -1 if none is equal. */
    private int tryNeighbours(byte[] bytes, int from, int to) {
        if (to == from) {
            return -1;
        }
        if (isName(cursor + 1, bytes, from, to)) {
            last = ++cursor;
            return cursor;
        }
        if (isName(last, bytes, from, to)) {
            return last;
        }
        if (isName(last + 1, bytes, from, to)) {
            cursor = ++last;
            return cursor;
        }
        return -1;
    }

    private int append(byte[] bytes, int from, int to) {
        int length = to - from;
        if ((long) used + length > Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("The names of the DAG are longer than two gigabytes together.");
        }
        if (used + length > text.length) {
            long wanted = Math.max(used + (long) length, text.length + (text.length >> 1) + 16L);
            text = Arrays.copyOf(text, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size + (size >> 1));
        }
        System.arraycopy(bytes, from, text, used, length);
        used += length;
        ends[size] = used;
        return size++;
    }

    private int slotOf(byte[] bytes, int from, int to, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != NONE
                && ((int) (slots[slot] >>> 32) != hash || !isName((int) slots[slot], bytes, from, to))) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isName(int number, byte[] bytes, int from, int to) {
        if (number >= size) {
            return false;
        }
        int start = start(number);
        int end = ends[number];
        // Names of one DAG often differ at their ends only.
        return end - start == to - from
                && (to == from || text[end - 1] == bytes[to - 1])
                && Arrays.equals(text, start, end, bytes, from, to);
    }

    private void rehash() {
        long[] old = slots;
        slots = newSlots(old.length * 2);
        int mask = slots.length - 1;
        for (long entry : old) {
            if (entry != NONE) {
                int slot = (int) (entry >>> 32) & mask;
                while (slots[slot] != NONE) {
                    slot = (slot + 1) & mask;
                }
                slots[slot] = entry;
            }
        }
    }

    private static long[] newSlots(int length) {
        long[] slots = new long[length];
        Arrays.fill(slots, NONE);
        return slots;
    }

    /** FNV-1a, then mixed, as the table is a power of two and names often differ in the last digits only. */
    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0x811c9dc5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        hash ^= hash >>> 15;
        hash *= 0x2c1b3c6d;
        return hash ^ (hash >>> 13);
    }
}
