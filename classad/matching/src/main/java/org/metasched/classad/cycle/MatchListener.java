package org.metasched.classad.cycle;

/** Tells both parties of a match. Called from the cycle: must not block. */
@FunctionalInterface
public interface MatchListener {

    void introduced(Introduction introduction);
}
