package org.metasched.negotiation;

import java.time.Clock;
import org.metasched.sites.SiteCalls;

/**
 * Collaborators that every negotiation of one meta-scheduler shares.
 *
 * @param calls to the sites
 * @param journal of what is reserved
 * @param sweeper gives back what a negotiation leaves behind
 * @param budget of each negotiation
 */
public record NegotiationContext(
        SiteCalls calls, ReservationJournal journal, OrphanSweeper sweeper, NegotiationBudget budget, Clock clock) {}
