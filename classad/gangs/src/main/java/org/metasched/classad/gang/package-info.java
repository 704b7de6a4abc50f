/**
 * Gang matching (Raman, Livny, Solomon, HPDC 2003): any number of ads matched at once, each docked to the others by ports,
 * by one of four algorithms.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.gang;
