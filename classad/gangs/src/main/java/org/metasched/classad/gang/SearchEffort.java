package org.metasched.classad.gang;

/**
 * The cost of a search, in the units of the 2003 paper. Counts are exact and do not depend on the machine.
 *
 * @param probes requests to an index for the candidates of a port or for their number, an estimate included
 * @param evaluations two-sided checks of constraints
 * @param backtracks candidates that were bound and given back
 */
public record SearchEffort(long probes, long evaluations, long backtracks) {

    public static final SearchEffort NONE = new SearchEffort(0, 0, 0);

    /** The cost of both searches together. */
    public SearchEffort plus(SearchEffort other) {
        return new SearchEffort(probes + other.probes, evaluations + other.evaluations, backtracks + other.backtracks);
    }
}
