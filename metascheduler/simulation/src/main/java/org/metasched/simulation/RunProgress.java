package org.metasched.simulation;

/** Observer of the progress of a run, called from time to time. */
@FunctionalInterface
public interface RunProgress {

    RunProgress NONE = (what, share) -> {};

    /**
     * Receives the progress.
     *
     * @param what name of the run, such as {@code without meta-jobs}
     * @param share share of the local jobs that have started, 0 to 1
     */
    void at(String what, double share);
}
