package org.metasched.classad;

/**
 * A library of functions: the built-in ones, or your own. Found as a service: name your class in
 * {@code META-INF/services/org.metasched.classad.FunctionLibrary}, or provide it in your module, and every expression can call what it adds.
 */
public interface FunctionLibrary {

    /** Enters the functions; called once, before the first call of any function is compiled. */
    void addTo(FunctionTable table);
}
