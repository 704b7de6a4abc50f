/**
 * Matchmaking between two ads (Raman, Livny, Solomon, HPDC 1998): constraints true on both sides, best rank; indexes over a
 * pool of offers; and the answer to "why not?".
 */
@NullMarked
package org.metasched.classad.match;

import org.jspecify.annotations.NullMarked;
