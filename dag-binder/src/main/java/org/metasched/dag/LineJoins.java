package org.metasched.dag;

/** Where the physical lines of a joined one begin. Not thread-safe. */
final class LineJoins extends FlatRows {

    LineJoins() {
        super(3);
    }

    void add(int offset, int line, int column) {
        append(offset);
        append(line);
        append(column);
    }

    /** In bytes from the beginning of the joined line. */
    int offset(int join) {
        return field(join, 0);
    }

    /** In the file, from 1. */
    int line(int join) {
        return field(join, 1);
    }

    /** In bytes, from 1. */
    int column(int join) {
        return field(join, 2);
    }
}
