/**
 * The texts of the language, below its trees: byte strings, names, numbers, escapes, times, the order of versions, regular expressions;
 * and the caches of all packages. For the other packages of this module; not part of its API. Needs the JDK only.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.text;
