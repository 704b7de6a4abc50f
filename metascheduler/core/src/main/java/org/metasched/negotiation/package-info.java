/**
 * Co-allocation: one start that suits several sites, and reservations at all of them or at none.
 *
 * <p>{@link org.metasched.negotiation.NegotiationEngine} is the entry point. Below it: the search for a common slot (after Listing 1
 * of Streit et al., ParCo 2005, repaired), the check of every confirmation, and the rollback. Every request to a site is
 * written to the {@link org.metasched.negotiation.ReservationJournal} first, so that
 * {@link org.metasched.negotiation.OrphanSweeper} finds and gives back whatever a crash or a lost answer left behind.
 */
@NullMarked
package org.metasched.negotiation;

import org.jspecify.annotations.NullMarked;
