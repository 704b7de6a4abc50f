package org.metasched.adapter.simulated;

/** A fault between a site and its caller. */
public enum InjectedFault {
    /** The request never arrives: nothing happens, and the caller does not learn so. */
    LOSE_REQUEST,
    /** The request is carried out, but the answer never arrives. */
    LOSE_ANSWER,
    /** The answer comes, but late. */
    ANSWER_LATE,
    /** A reservation is granted, but for a later start, and the answer says so. */
    GRANT_LATER,
    /** Another user takes what was free between preview and reservation. */
    FILL_UP
}
