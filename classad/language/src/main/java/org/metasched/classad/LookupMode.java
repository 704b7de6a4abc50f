package org.metasched.classad;

/** How names are looked up: strictly, or with the compatibility rules that HTCondor's tools use by default. */
public enum LookupMode {
    /** Names resolve in their own ad and the ads around it only. */
    NEW,
    /** {@code MY} and {@code CurrentTime} are built in, and a name the own ad lacks is tried in the other ad of a match. */
    OLD
}
