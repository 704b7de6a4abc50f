package org.metasched.classad.cycle;

/** Introduces the parties of a match to each other. Called from the cycle: must not block. */
@FunctionalInterface
public interface MatchListener {

    void introduced(Introduction introduction);
}
