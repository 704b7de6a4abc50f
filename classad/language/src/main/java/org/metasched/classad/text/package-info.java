/**
 * What the language needs to know of texts, and nothing of trees: byte strings, names, numbers, escapes, times, the order of
 * versions, regular expressions. For the other packages of this module; not part of its API. Needs the JDK only.
 */
@NullMarked
package org.metasched.classad.text;

import org.jspecify.annotations.NullMarked;
