package org.metasched.negotiation;

import java.time.Clock;
import org.metasched.sites.SiteCalls;

/**
 * Collaborators that every negotiation of one meta-scheduler shares.
 *
 * @param calls calls to the sites
 * @param journal journal of reservations
 * @param sweeper gives back reservations that a negotiation leaves behind
 * @param budget limits of each negotiation
 */
public record NegotiationContext(
        SiteCalls calls, ReservationJournal journal, OrphanSweeper sweeper, NegotiationBudget budget, Clock clock) {}
