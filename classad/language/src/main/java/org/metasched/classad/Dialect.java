package org.metasched.classad;

/** The dialects of ClassAds that can be read. A table in {@code docs/classad.md} shows where they differ. */
public enum Dialect {
    /** The language that HTCondor's library accepts today. */
    REFERENCE,
    /**
     * The language of the papers of 1998 to 2003: {@code 28M}, {@code '00:15'} and dates in single quotes are values, Constraint
     * means Requirements.
     */
    PAPER
}
