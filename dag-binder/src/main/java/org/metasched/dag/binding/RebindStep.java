package org.metasched.dag.binding;

/** The steps of a rebinding, in order, then those of its undoing. An observer gets each of them; a test kills the process there. */
enum RebindStep {
    /** The directory is locked. */
    LOCKED,
    /** The new match is acquired, not yet committed. */
    TAKEN,
    /** The new binding is whole, beside the old one. */
    WRITTEN,
    /** The new match is committed, or was found lapsed. */
    KEPT,
    /** The manifest of the files that the DAG has made is taken. */
    LISTED,
    /** One file of the DAG is copied. */
    CARRIED,
    /** Copies and originals equal the manifest. */
    CHECKED,
    /** The intent is written. */
    NOTED,
    /** The old binding has left its place. */
    OLD_LEFT,
    /** The new binding is in that place. */
    NEW_IN_PLACE,
    /** The new binding equals its manifest. */
    COMPARED,
    /** The old match is released. */
    OLD_RELEASED,
    /** The intent is removed. */
    ENDED,
    /** Back: the new match is released. */
    GIVEN_BACK,
    /** Back: the new binding is removed. */
    REMOVED
}
