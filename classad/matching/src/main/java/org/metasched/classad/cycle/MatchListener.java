package org.metasched.classad.cycle;

/** The receiver of matches, which introduces the parties to each other. Called from the cycle: it must not block. */
@FunctionalInterface
public interface MatchListener {

    void introduced(Introduction introduction);
}
