package org.metasched.negotiation;

/** What the sites are asked while a common slot is looked for. */
public enum SearchStrategy {
    /** Only for their next start, as in Listing 1 of Streit et al. (ParCo 2005), repaired. */
    LISTING1,
    /** Once for all their starts where they can list them, for their next start where they cannot. */
    WINDOWS
}
