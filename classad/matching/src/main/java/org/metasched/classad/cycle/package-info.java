/**
 * The matchmaking cycle: submitters in fair-share order, their requests matched with a snapshot of the offers, both parties of each match
 * introduced.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.cycle;
