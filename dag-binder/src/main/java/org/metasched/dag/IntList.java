package org.metasched.dag;

import java.util.Arrays;

/** A growing list of ints without boxes. Not thread-safe. */
final class IntList {

    private int[] items;
    private int size;

    IntList() {
        this(16);
    }

    IntList(int capacity) {
        items = new int[capacity];
    }

    void add(int item) {
        if (size == items.length) {
            grow();
        }
        items[size++] = item;
    }

    private void grow() {
        if (size >= Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("The DAG has more than two thousand million entries of one kind.");
        }
        long wanted = size + (size >> 1) + 16L;
        items = Arrays.copyOf(items, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
    }

    int get(int index) {
        return items[index];
    }

    void set(int index, int item) {
        items[index] = item;
    }

    int size() {
        return size;
    }

    /** Forgets what stands behind the first {@code newSize} items. */
    void setSize(int newSize) {
        size = newSize;
    }

    boolean isEmpty() {
        return size == 0;
    }
}
