package org.metasched.simulation;

/** Is told now and then how far a run is. */
@FunctionalInterface
public interface RunProgress {

    RunProgress NONE = (what, share) -> {};

    /**
     * @param what is being run, such as {@code without meta-jobs}
     * @param share of the jobs that are over, 0 to 1
     */
    void at(String what, double share);
}
