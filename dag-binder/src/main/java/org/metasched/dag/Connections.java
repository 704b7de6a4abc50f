package org.metasched.dag;

/** Connections of the outgoing pins of one splice with the incoming pins of another. Not thread-safe. */
final class Connections extends PlacedRows {

    Connections() {
        super(4);
    }

    void add(int file, int line, int parent, int child) {
        appendPlace(file, line);
        append(parent);
        append(child);
    }

    /** The name's number in the scope; it need not be a splice. */
    int parent(int connection) {
        return field(connection, 2);
    }

    /** The name's number in the scope; it need not be a splice. */
    int child(int connection) {
        return field(connection, 3);
    }
}
