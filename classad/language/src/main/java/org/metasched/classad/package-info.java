/**
 * The ClassAd language: ads, expressions, values, and the scopes in which expressions are evaluated. A user needs about ten public
 * types. The others are public for the built-in functions, the grammar and the written forms, and their comments say so; those are in
 * the packages {@code function}, {@code grammar} and {@code form}, on which this package does not depend: it finds them as services.
 * Needs the JDK only.
 *
 * <p>"The reference" is libclassad, the library of HTCondor, by whose behaviour this implementation is tested.
 */
@NullMarked
package org.metasched.classad;

import org.jspecify.annotations.NullMarked;
