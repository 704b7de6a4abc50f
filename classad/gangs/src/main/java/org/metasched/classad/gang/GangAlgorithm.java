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
     * As many gangs as possible in the whole cycle, for the first roots in priority order; without a proof, the most that were found,
     * with an upper bound.
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
