/**
 * Texts of the language, without trees: byte strings, names, numbers, escapes, times, the order of versions, regular expressions.
 * For the other packages of this module; not part of its API. Needs the JDK only.
 */
@NullMarked
package org.metasched.classad.text;

import org.jspecify.annotations.NullMarked;
