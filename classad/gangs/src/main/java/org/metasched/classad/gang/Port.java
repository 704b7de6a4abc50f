package org.metasched.classad.gang;

import org.metasched.classad.ClassAd;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MatchParty;

/**
 * One port of an ad: a place where another ad docks, or several that are interchangeable.
 *
 * @param index index in the list of ports, from 0
 * @param label the name under which this port and those after it know the neighbour
 * @param side the port's expressions
 * @param least least number of neighbours
 * @param most largest number of neighbours
 * @param isList whether the label means a list of neighbours, as it does once a port says how many it wants
 */
public record Port(int index, String label, MatchParty side, int least, int most, boolean isList) {

    /** More neighbours than this at one port are refused. */
    static final int MOST_NEIGHBOURS = 1_000;

    /** Refuses counts unless {@code 0 <= least <= most} and {@code 1 <= most <= 1,000}. */
    public Port {
        if (least < 0 || most < Math.max(1, least) || most > MOST_NEIGHBOURS) {
            throw new MalformedAdException("Port " + label + " of " + PortedAd.nameOf(side.holder()) + " wants "
                    + (least == most ? least : least + " to " + most)
                    + " neighbours; expected Min from 0, and Max from 1 "
                    + "to " + MOST_NEIGHBOURS + " and no less than Min.");
        }
    }

    /** The port's rank of an ad that docks as a whole; 0 if it has none or if the rank is no number. */
    public double rank(ClassAd neighbour) {
        var site = new EvaluationSite(side);
        return site.facing(new EvaluationSite(MatchParty.whole(neighbour)), site::rank);
    }

    @Override
    public String toString() {
        return "port " + label;
    }
}
