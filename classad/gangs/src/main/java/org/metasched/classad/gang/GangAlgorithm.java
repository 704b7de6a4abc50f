package org.metasched.classad.gang;

/** The algorithm that finds the gangs of a cycle. */
public enum GangAlgorithm {
    /** Tries every offer at every port: the oracle of the others. */
    NAIVE,
    /** The 2003 paper's indexed algorithm: ports in the order of the text, candidates from indexes on attributes and constraints. */
    INDEXED,
    /** The port with the smallest domain first: fail-first. */
    DYNAMIC,
    /**
     * The most gangs that are possible in the whole cycle and, where a flow decides, of all sets of roots that reach this number the first
     * in priority order. If the search is cut off, the most gangs that it found, with an upper bound on their number.
     */
    EXACT;

    /** The matcher of one root at a time; EXACT, which decides all roots together, has that of DYNAMIC. */
    public Gangmatcher matcher() {
        return switch (this) {
            case NAIVE -> new NaiveGangmatcher();
            case INDEXED -> (root, pool) -> DomainSearch.marshal(root, pool, /* failFirst= */ false);
            case DYNAMIC, EXACT -> new DynamicGangmatcher();
        };
    }
}
