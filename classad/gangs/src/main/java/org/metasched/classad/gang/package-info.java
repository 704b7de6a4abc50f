/**
 * Gang matching (Raman, Livny, Solomon, HPDC 2003): any number of ads matched at once, each docked to the others by ports,
 * by one of four algorithms.
 */
@NullMarked
package org.metasched.classad.gang;

import org.jspecify.annotations.NullMarked;
