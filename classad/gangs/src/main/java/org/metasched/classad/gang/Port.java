package org.metasched.classad.gang;

import java.util.Objects;
import org.metasched.classad.ClassAd;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Side;

/** One port of an ad: a place where another ad docks, or several that are interchangeable. Immutable. */
public final class Port {

    /** More neighbours than this at one port are refused. */
    static final int MOST_NEIGHBOURS = 1_000;

    private final int index;
    private final String label;
    private final Side side;
    private final int least;
    private final int most;
    private final boolean list;

    /** A port of at least and at most so many neighbours; {@code list} if its label means a list of them. */
    Port(int index, String label, Side side, int least, int most, boolean list) {
        if (!isCount(least, most)) {
            throw new MalformedAdException("Port " + label + " wants " + least + " to " + most
                    + " neighbours; expected at least 1 and at most " + MOST_NEIGHBOURS + ", in ascending order.");
        }
        this.index = index;
        this.label = label;
        this.side = side;
        this.least = least;
        this.most = most;
        this.list = list;
    }

    static boolean isCount(int least, int most) {
        return least >= 0 && most >= Math.max(1, least) && most <= MOST_NEIGHBOURS;
    }

    /** The port's place in the list, from 0. */
    public int index() {
        return index;
    }

    /** The name under which this port and those after it know the neighbour. */
    public String label() {
        return label;
    }

    /** How many neighbours the port needs. */
    public int least() {
        return least;
    }

    /** How many neighbours the port takes. */
    public int most() {
        return most;
    }

    /** Whether the label means a list of neighbours, as it does once a port says how many it wants. */
    public boolean isList() {
        return list;
    }

    /** The port's rank of an ad that docks as a whole; 0 if it has none or if the rank is no number. */
    public double rank(ClassAd neighbour) {
        return Place.facing(side, Side.whole(neighbour)).rank();
    }

    /** The port's expressions. */
    Side side() {
        return side;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Port port
                && index == port.index
                && label.equals(port.label)
                && side.equals(port.side)
                && least == port.least
                && most == port.most
                && list == port.list;
    }

    @Override
    public int hashCode() {
        return Objects.hash(index, label, side, least, most, list);
    }

    @Override
    public String toString() {
        return "port " + label;
    }
}
