package org.metasched.negotiation;

/** The questions to the sites while a common slot is sought, and where the search goes on when a site did not confirm it. */
public enum SearchStrategy {
    /** Only for their next start, and on from the latest effective one, as in Listing 1 of Streit et al. (ParCo 2005), repaired. */
    LISTING1,
    /** Once for all their starts where they can list them, else for their next start; once more for all but the start that was not confirmed. */
    WINDOWS
}
