package org.metasched.negotiation;

import java.time.Clock;
import java.time.Instant;
import org.metasched.adapter.TimeSlot;
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
        SiteCalls calls, ReservationJournal journal, OrphanSweeper sweeper, NegotiationBudget budget, Clock clock) {

    /** The last common start of a request within its deadline and every site's present look-ahead. */
    public Instant lastStart(CoAllocationRequest request) {
        Instant now = clock.instant();
        Instant last = request.latestStart();
        for (var part : request.parts()) {
            var preview = calls.directory().get(part.site()).previewWindow();
            last = TimeSlot.earlier(last, preview.endFrom(now).minus(part.offset()));
        }
        return last;
    }
}
