package org.metasched.classad;

/** The rules by which names are looked up: the strict ones, or the compatible ones that HTCondor's tools use by default. */
public enum LookupMode {
    /** Names are looked up in their own ad and the ads around it only. */
    NEW,
    /** {@code MY} and {@code CurrentTime} are built in, and a name that the own ad lacks is looked up in the other ad of a match. */
    OLD
}
