package org.metasched.classad;

/** A library of functions, found as a service: the language knows none of the functions it calls. */
public interface FunctionLibrary {

    /** Enters the functions; called once. */
    void addTo(FunctionTable table);
}
