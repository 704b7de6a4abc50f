/**
 * Co-allocation: one start that suits several sites, and reservations at all of them or at none.
 *
 * <p>{@link org.metasched.negotiation.NegotiationEngine} is the entry point. The package searches for a common slot (one strategy is
 * Listing 1 of Streit et al., ParCo 2005, repaired), checks each confirmation, and rolls back. Each reservation is written to the
 * {@link org.metasched.negotiation.ReservationJournal} before its site is asked, so that {@link org.metasched.negotiation.OrphanSweeper}
 * finds and releases reservations that a crash or a lost answer left behind.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.negotiation;
