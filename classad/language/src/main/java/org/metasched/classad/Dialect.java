package org.metasched.classad;

/** A dialect of ClassAds that a parser accepts. What each accepts stands in a table in {@code docs/classad.md}. */
public enum Dialect {
    /** The language that HTCondor's library accepts today. */
    REFERENCE,
    /** The same, but for what the papers of 1998 to 2003 print: {@code 28M}, {@code '00:15'}, quoted dates, {@code DayTime()}. */
    PAPER
}
