package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;

/** The pins of a scope's nodes, and the connections of its splices by their pins. Not thread-safe. */
final class SplicePins {

    /**
     * A pin.
     *
     * @param node number in the scope of the name, which need not be a node's
     * @param number number of the pin, from 1; incoming and outgoing pins are numbered apart
     */
    record Pin(int file, int line, int node, int number, boolean isOutgoing) {}

    /** A connection of the outgoing pins of one splice with the incoming pins of another, by the numbers of their names. */
    record Connection(int file, int line, int parent, int child) {}

    final List<Pin> pins = new ArrayList<>();
    final List<Connection> connections = new ArrayList<>();
}
