package org.metasched.classad;

/**
 * A library of functions: the built-in ones, or your own. It is found as a service: name your class in
 * {@code META-INF/services/org.metasched.classad.FunctionLibrary}, or provide it in your module, and every expression can call its
 * functions.
 */
public interface FunctionLibrary {

    /** Adds the functions to the table; called once, before the first call of any function is compiled. */
    void addTo(FunctionTable table);
}
