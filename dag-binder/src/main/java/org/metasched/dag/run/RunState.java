package org.metasched.dag.run;

/** The state of a node, with the numbers of condor_dagman's node status file as ordinals. */
public enum RunState {
    NOT_READY,
    READY,
    PRERUN,
    SUBMITTED,
    POSTRUN,
    DONE,
    ERROR,
    FUTILE
}
