package org.metasched.classad.collector;

/** What became of an advertised ad. */
public sealed interface Receipt {

    /** It is kept, and replaced an earlier one unless it is the first. */
    record Kept(AdKey key, boolean first) implements Receipt {}

    /** A newer one is known: this one came late and is dropped. */
    record Late(AdKey key, long newest, long offered) implements Receipt {}

    /** It cannot be kept, and why. */
    record Refused(String reason) implements Receipt {}
}
