package org.metasched.dag;

/** Where the physical lines of a joined one begin. Not thread-safe. */
final class Seams extends FlatRows {

    Seams() {
        super(3);
    }

    void add(int offset, int line, int column) {
        append(offset);
        append(line);
        append(column);
    }

    /** In bytes from the beginning of the joined line. */
    int offset(int seam) {
        return field(seam, 0);
    }

    /** In the file, from 1. */
    int line(int seam) {
        return field(seam, 1);
    }

    /** In bytes, from 1. */
    int column(int seam) {
        return field(seam, 2);
    }
}
