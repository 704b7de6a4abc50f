package org.metasched.negotiation;

/** The questions to sites in the search for a common slot, and the next candidate after a start that a site did not confirm. */
public enum SearchStrategy {
    /**
     * Listing 1 of Streit et al. (ParCo 2005), repaired: sites are asked for their next start only, and the latest answer is the next candidate.
     * After reservations that begin later than requested the search continues from the latest start.
     */
    LISTING1,
    /**
     * Sites that can list their starts are asked once for all of them, the others for their next start. After a start that was not
     * confirmed they are asked again, and that start is left out.
     */
    WINDOWS
}
