package org.metasched.simulation;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt;
import org.metasched.negotiation.ReservationAttempt.End;

/**
 * Reserves at every site without asking for starts first; if a site refuses, gives all back and tries again a step later. Streit et al.
 * (ParCo 2005, section 3.1) reject this policy for its many messages; here it is the reference for other policies. Finds only starts that
 * are a multiple of the step after the first one.
 *
 * @param step time from one tried start to the next
 */
record TrialAndError(NegotiationContext context, RandomGenerator random, Duration step) implements StartPolicy {

    @Override
    public NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException {
        String name = "t" + Long.toUnsignedString(random.nextLong(), 36);
        var first = TimeSlot.later(
                request.earliest(),
                context.clock().instant().plus(context.budget().lead()));
        var limit = context.lastStart(request);
        SiteId cause = request.parts().get(0).site();
        int tries = 0;
        int calls = 0;
        for (var start = first; !start.isAfter(limit); start = start.plus(step)) {
            if (tries == context.budget().mostRounds()) {
                return new Abandoned(
                        cause,
                        Why.BUDGET_SPENT,
                        "Given up after " + tries + " tries.",
                        List.of(),
                        effort(tries, calls));
            }
            var attempt = new ReservationAttempt(context, name + "-" + ++tries, request.parts(), start);
            var end = attempt.run();
            calls += attempt.calls();
            if (end instanceof End.Confirmed confirmed) {
                return new CoAllocated(start, confirmed.reservations(), effort(tries, calls));
            } else if (end instanceof End.Undone undone) {
                cause = undone.cause();
            }
        }
        return new NoCommonSlot(cause, limit, limit.isBefore(request.latestStart()), effort(tries, calls));
    }

    private static NegotiationEffort effort(int tries, int calls) {
        return new NegotiationEffort(tries, calls, tries, Duration.ZERO);
    }
}
