package org.metasched.dag;

/**
 * Rows of the same few ints, one after the other in one array: 4 bytes a field and no object a row. A subclass names the fields; the
 * width of a row is known nowhere else. Not thread-safe.
 */
abstract class FlatRows {

    private final int width;
    private final IntList items = new IntList();

    FlatRows(int width) {
        this.width = width;
    }

    /** The number of rows. */
    final int size() {
        return items.size() / width;
    }

    final boolean isEmpty() {
        return items.isEmpty();
    }

    /** Appends the next field of the row that is being written. */
    final void append(int field) {
        items.add(field);
    }

    final int field(int row, int field) {
        return items.get(row * width + field);
    }

    final void setField(int row, int field, int value) {
        items.set(row * width + field, value);
    }
}
