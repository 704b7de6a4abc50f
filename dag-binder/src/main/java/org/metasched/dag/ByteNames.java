package org.metasched.dag;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Gives names numbers, from 0 in the order of their first appearance. Names are kept as bytes in one array, so that a million of
 * them take their letters and some twenty bytes each. Look-up is {@code O(length)}. Not thread-safe.
 */
final class ByteNames {

    private static final int NONE = -1;

    private byte[] letters = new byte[256];
    private int used;
    private int[] ends = new int[16];
    private int[] hashes = new int[16];
    private int size;
    private int[] slots = newSlots(32);

    int size() {
        return size;
    }

    /** The number of the name in {@code bytes[from, to)}, a new one if it was not seen before. */
    int number(byte[] bytes, int from, int to) {
        int hash = hash(bytes, from, to);
        int slot = find(bytes, from, to, hash);
        if (slots[slot] != NONE) {
            return slots[slot];
        }
        if (size * 4 >= slots.length * 3) {
            rehash();
            slot = find(bytes, from, to, hash);
        }
        slots[slot] = append(bytes, from, to, hash);
        return slots[slot];
    }

    /** The number of the name, or -1 if it was never seen. */
    int existing(byte[] bytes, int from, int to) {
        return slots[find(bytes, from, to, hash(bytes, from, to))];
    }

    int existing(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return existing(bytes, 0, bytes.length);
    }

    int number(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return number(bytes, 0, bytes.length);
    }

    /** A number for something without a name. */
    int anonymous() {
        return append(letters, 0, 0, 0);
    }

    String text(int number) {
        int start = start(number);
        return new String(letters, start, ends[number] - start, StandardCharsets.UTF_8);
    }

    /** Copies a name of this table, with a prefix before it, into another table, and gives its number there. */
    int copyTo(ByteNames other, byte[] prefix, int number) {
        int start = start(number);
        int length = ends[number] - start;
        byte[] whole = Arrays.copyOf(prefix, prefix.length + length);
        System.arraycopy(letters, start, whole, prefix.length, length);
        return other.number(whole, 0, whole.length);
    }

    private int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    private int append(byte[] bytes, int from, int to, int hash) {
        int length = to - from;
        if ((long) used + length > Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("The names of the DAG are longer than two gigabytes together.");
        }
        if (used + length > letters.length) {
            long wanted = Math.max(used + (long) length, letters.length + (letters.length >> 1) + 16L);
            letters = Arrays.copyOf(letters, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
        }
        if (size == ends.length) {
            int wanted = size + (size >> 1);
            ends = Arrays.copyOf(ends, wanted);
            hashes = Arrays.copyOf(hashes, wanted);
        }
        System.arraycopy(bytes, from, letters, used, length);
        used += length;
        ends[size] = used;
        hashes[size] = hash;
        return size++;
    }

    private int find(byte[] bytes, int from, int to, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != NONE && !isName(slots[slot], bytes, from, to, hash)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isName(int number, byte[] bytes, int from, int to, int hash) {
        return hashes[number] == hash && Arrays.equals(letters, start(number), ends[number], bytes, from, to);
    }

    private void rehash() {
        int[] old = slots;
        slots = newSlots(old.length * 2);
        int mask = slots.length - 1;
        for (int number : old) {
            if (number != NONE) {
                int slot = hashes[number] & mask;
                while (slots[slot] != NONE) {
                    slot = (slot + 1) & mask;
                }
                slots[slot] = number;
            }
        }
    }

    private static int[] newSlots(int length) {
        int[] slots = new int[length];
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
