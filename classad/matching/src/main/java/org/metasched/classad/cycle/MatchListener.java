package org.metasched.classad.cycle;

/** The receiver of matches, which introduces the parties to each other. Called from the cycle: it must not block. */
@FunctionalInterface
public interface MatchListener {

    /** Receives a match that has been leased. */
    void introduced(Introduction introduction);
}
