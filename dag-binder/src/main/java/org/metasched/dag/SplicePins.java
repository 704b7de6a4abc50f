package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;

/** Pins of the nodes of a splice, and the pins of splices that are connected in it. Not thread-safe. */
final class SplicePins {

    /**
     * A pin.
     *
     * @param node the name's number in the scope; it need not be a node
     * @param number from 1; incoming and outgoing pins are numbered apart
     */
    record Pin(int file, int line, int node, int number, boolean isOutgoing) {}

    /** A connection of the outgoing pins of one splice with the incoming pins of another, by the numbers of their names. */
    record Connection(int file, int line, int parent, int child) {}

    final List<Pin> pins = new ArrayList<>();
    final List<Connection> connections = new ArrayList<>();
}
