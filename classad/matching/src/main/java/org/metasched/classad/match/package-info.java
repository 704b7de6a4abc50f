/**
 * Matchmaking between two ads (Raman, Livny, Solomon, HPDC 1998): constraints true on both sides, best rank; and the explanation
 * of a match or of its absence.
 */
@NullMarked
package org.metasched.classad.match;

import org.jspecify.annotations.NullMarked;
