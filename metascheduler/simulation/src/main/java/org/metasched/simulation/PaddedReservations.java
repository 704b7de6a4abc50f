package org.metasched.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;

/**
 * Asks each site once for its own next start of a reservation that is longer than needed, and reserves there if all of them have enough
 * time in common. Streit et al. (ParCo 2005, section 3.1) reject this policy because it wastes time of nodes and often fails; here it is the
 * reference for other policies. One try, no second round. For parts that begin together.
 *
 * @param factor factor by which reservations are longer than the parts
 */
record PaddedReservations(NegotiationContext context, RandomGenerator random, double factor) implements StartPolicy {

    @Override
    public NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException {
        var now = context.clock().instant();
        var from = TimeSlot.later(request.earliest(), now.plus(context.budget().lead()));
        var questions = new ArrayList<Call<Optional<Instant>>>();
        for (var part : request.parts()) {
            var padded = padded(part.request());
            questions.add(new Call<>(part.site(), site -> site.earliestStart(padded, from)));
        }
        var answers = context.calls().askAll(questions);
        var starts = new ArrayList<Instant>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Answer.Got<Optional<Instant>> got
                    && got.value().isPresent()) {
                starts.add(got.value().get());
            } else {
                return none(request, i, answers.size());
            }
        }
        return reserve(request, starts);
    }

    private ResourceRequest padded(ResourceRequest request) {
        var length = Duration.ofSeconds((long) Math.ceil(request.duration().toSeconds() * factor));
        return request.lasting(length);
    }

    private NegotiationOutcome reserve(CoAllocationRequest request, List<Instant> starts) throws InterruptedException {
        int asked = starts.size();
        var base = starts.stream().min(Instant::compareTo).orElseThrow();
        var common = starts.stream().max(Instant::compareTo).orElseThrow();
        if (common.isAfter(request.latestStart())) {
            return none(request, starts.indexOf(common), asked);
        }
        var parts = new ArrayList<SitePart>();
        for (int i = 0; i < asked; i++) {
            var part = request.parts().get(i);
            var padded = padded(part.request());
            var needed = common.plus(part.request().duration());
            if (starts.get(i).plus(padded.duration()).isBefore(needed)) {
                return none(request, starts.indexOf(common), asked);
            }
            parts.add(new SitePart(part.site(), padded, Duration.between(base, starts.get(i))));
        }
        String name = "p" + Long.toUnsignedString(random.nextLong(), 36);
        var attempt = new ReservationAttempt(context, name, parts, base);
        var end = attempt.run();
        var effort = new NegotiationEffort(1, asked + attempt.calls(), 1, Duration.ZERO);
        return end.fold(
                confirmed -> new CoAllocated(common, confirmed.reservations(), effort),
                undone -> new Abandoned(undone.cause(), Why.OUTRUN, undone.reason(), undone.orphans(), effort));
    }

    private static NegotiationOutcome none(CoAllocationRequest request, int part, int calls) {
        return new NoCommonSlot(
                request.parts().get(part).site(),
                request.latestStart(),
                true,
                new NegotiationEffort(1, calls, 0, Duration.ZERO));
    }
}
