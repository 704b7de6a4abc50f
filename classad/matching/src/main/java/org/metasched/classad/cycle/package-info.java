/**
 * The matchmaking cycle: submitters in fair-share order, their requests matched with a snapshot of the offers, each match
 * told to both parties.
 */
@NullMarked
package org.metasched.classad.cycle;

import org.jspecify.annotations.NullMarked;
