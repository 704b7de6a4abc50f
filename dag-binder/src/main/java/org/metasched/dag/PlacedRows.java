package org.metasched.dag;

/** Commands that can be carried out only at the end of a scope, each with the place where it stands. Not thread-safe. */
abstract class PlacedRows extends FlatRows {

    /** @param width the number of fields, file and line among them */
    PlacedRows(int width) {
        super(width);
    }

    final void appendPlace(int file, int line) {
        append(file);
        append(line);
    }

    /** The file's number in the session. */
    final int file(int row) {
        return field(row, 0);
    }

    /** From 1. */
    final int line(int row) {
        return field(row, 1);
    }
}
