/**
 * Gang matching (Raman, Livny, Solomon, HPDC 2003): any number of ads matched at once, each docked to the others by ports,
 * by four algorithms behind one interface.
 */
@NullMarked
package org.metasched.classad.gang;

import org.jspecify.annotations.NullMarked;
