package org.metasched.dag;

/** Pins of the nodes of a splice, and the pins of splices that are connected in it. Not thread-safe. */
final class Pins extends PlacedRows {

    final Connections connections = new Connections();

    Pins() {
        super(4);
    }

    /** @param number from 1 */
    void add(int file, int line, int node, int number, boolean isOutgoing) {
        appendPlace(file, line);
        append(node);
        append(isOutgoing ? -number : number);
    }

    /** The name's number in the scope; it need not be a node. */
    int node(int pin) {
        return field(pin, 2);
    }

    /** From 1; incoming and outgoing pins are numbered apart. */
    int number(int pin) {
        return Math.abs(field(pin, 3));
    }

    boolean isOutgoing(int pin) {
        return field(pin, 3) < 0;
    }
}
