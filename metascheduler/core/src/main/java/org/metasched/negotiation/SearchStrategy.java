package org.metasched.negotiation;

/** Questions to the sites in the search for a common slot, and the next candidate after a site that did not confirm one. */
public enum SearchStrategy {
    /**
     * Sites are asked for their next start alone, and the latest answer is the next candidate. After reservations that begin later than
     * requested the search continues from the latest begin. This is Listing 1 of Streit et al. (ParCo 2005), repaired.
     */
    LISTING1,
    /**
     * Sites that can list their starts are asked once for all of them, the others for their next start. After a start that was not
     * confirmed they are asked again, and that start is left out.
     */
    WINDOWS
}
