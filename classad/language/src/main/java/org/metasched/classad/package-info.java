/**
 * The ClassAd language: ads, expressions, values, and the scopes in which expressions are evaluated. A user needs about ten public
 * types. The others, whose comments say so, are public for the packages {@code function} (built-in functions), {@code grammar} and
 * {@code form} (written forms). This package does not depend on those three; it finds them as services. Needs the JDK only.
 *
 * <p>"The reference" is libclassad, the library of HTCondor, by whose behaviour this implementation is tested.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad;
