/**
 * Matchmaking between two ads (Raman, Livny, Solomon, HPDC 1998): constraints true on both sides, best rank; and the explanation
 * of a match or of its absence.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.match;
