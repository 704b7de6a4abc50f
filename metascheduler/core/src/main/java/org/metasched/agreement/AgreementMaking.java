package org.metasched.agreement;

import static java.time.temporal.ChronoUnit.SECONDS;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.CreationOutcome.Refused;
import org.metasched.negotiation.Case;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;

/** From an offer to reservations: places open parts, negotiates one branch after the other, takes the first that works. */
final class AgreementMaking {

    /** Ways to place one branch that are tried. */
    private static final int MOST_PLACINGS = 8;
    /** Stands for no deadline: longer than any site looks ahead. */
    private static final Duration FAR = Duration.ofDays(3660);

    private final NegotiationEngine engine;
    private final SiteSelector selector;
    private final Clock clock;

    AgreementMaking(NegotiationEngine engine, SiteSelector selector, Clock clock) {
        this.engine = engine;
        this.selector = selector;
        this.clock = clock;
    }

    /** What came of an offer: reservations, which the caller must keep or strand, or a refusal. */
    sealed interface Made {
        /** Takes the result apart: a new case does not compile until every caller handles it. */
        <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined) throws E;

        record Allocated(TimeSlot slot, List<Commitment> commitments, NegotiationEffort effort) implements Made {
            @Override
            public <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined)
                    throws E {
                return allocated.of(this);
            }
        }

        record Declined(Refused refusal) implements Made {
            @Override
            public <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined)
                    throws E {
                return declined.of(this);
            }
        }
    }

    Made make(AgreementOffer offer) throws InterruptedException {
        var effort = NegotiationEffort.NONE;
        Made made = new Made.Declined(new Refused(
                RefusalCode.NO_MATCHING_SITE,
                "No known site satisfies every term that leaves the place open.",
                Optional.empty(),
                effort));
        for (var placed : placings(offer)) {
            var request = coAllocation(placed);
            var outcome = engine.negotiate(request);
            effort = effort.plus(outcome.effort());
            made = made(placed, request, outcome, effort);
            if (made instanceof Made.Allocated) {
                return made;
            }
        }
        return made;
    }

    private static Made made(
            AgreementRequest placed,
            CoAllocationRequest request,
            NegotiationOutcome outcome,
            NegotiationEffort effort) {
        return outcome.fold(
                allocated -> {
                    var slot = new TimeSlot(allocated.start(), allocated.start().plus(request.span()));
                    return new Made.Allocated(slot, commitments(placed, allocated), effort);
                },
                none -> new Made.Declined(refusal(none, effort)),
                abandoned -> new Made.Declined(refusal(abandoned, effort)));
    }

    private List<AgreementRequest> placings(AgreementOffer offer) {
        var placings = new ArrayList<AgreementRequest>();
        for (var branch : offer.alternatives()) {
            if (branch.parts().stream().allMatch(p -> p.site().isPresent())) {
                placings.add(branch);
            } else {
                placings.addAll(selector.place(branch, MOST_PLACINGS));
            }
        }
        return placings;
    }

    private CoAllocationRequest coAllocation(AgreementRequest placed) {
        var parts = placed.parts().stream()
                .map(p -> new SitePart(p.site().orElseThrow(), p.request(), p.offset()))
                .toList();
        Instant now = clock.instant();
        Instant earliest = placed.earliest().filter(e -> e.isAfter(now)).orElse(now);
        Instant deadline = placed.deadline().orElseGet(() -> earliest.plus(FAR).plus(FAR));
        return new CoAllocationRequest(parts, earliest, deadline);
    }

    private static List<Commitment> commitments(AgreementRequest placed, CoAllocated allocated) {
        var commitments = new ArrayList<Commitment>();
        for (int i = 0; i < placed.parts().size(); i++) {
            var part = placed.parts().get(i);
            var made = allocated.reservations().get(i);
            commitments.add(new Commitment(
                    part.term(),
                    part.service(),
                    made.site(),
                    made.reservation(),
                    ReservationState.RESERVED,
                    List.of()));
        }
        return commitments;
    }

    private static Refused refusal(NoCommonSlot none, NegotiationEffort effort) {
        return new Refused(
                none.byPreview() ? RefusalCode.PREVIEW_WINDOW_EXCEEDED : RefusalCode.NO_COMMON_SLOT,
                "No start up to " + none.limit().truncatedTo(SECONDS) + " suits every site; site " + none.exhausted()
                        + " has no later one"
                        + (none.byPreview()
                                ? " inside its look-ahead.\nMaybe it never has as much as that."
                                : " that ends before the deadline."),
                Optional.of(none.exhausted()),
                effort);
    }

    private static Refused refusal(Abandoned abandoned, NegotiationEffort effort) {
        var code = switch (abandoned.why()) {
            case SITE_UNAVAILABLE -> RefusalCode.ADAPTER_DOWN;
            case OUTRUN -> RefusalCode.RESOURCE_LOST_RACE;
            case BUDGET_SPENT -> RefusalCode.NO_COMMON_SLOT;
        };
        return new Refused(code, abandoned.reason(), Optional.of(abandoned.cause()), effort);
    }
}
