package org.metasched.agreement.making;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.negotiation.InPlaceChange;
import org.metasched.negotiation.InPlaceChange.WantedChange;
import org.metasched.negotiation.InPlaceChange.Widened;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.SiteReservation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renegotiates an agreement. If its sites can, their reservations are changed in place; that is possible for parts without programs, with
 * fixed offsets, each at the site that it has now. Otherwise new reservations are made beside the old ones. Thread-safe.
 */
record InPlaceRenegotiation(OfferNegotiator negotiator, InPlaceChange changes, FeasibleAlternatives feasible) {

    private static final Logger LOG = LoggerFactory.getLogger(InPlaceRenegotiation.class);

    /**
     * Makes the reservations for an offer.
     *
     * @param old the agreement that it replaces; empty if there is none
     * @param alternatives the offer's alternatives, of which only the first is tried in place
     */
    NegotiationResult negotiate(Optional<Agreement> old, List<AgreementRequest> alternatives)
            throws InterruptedException {
        if (old.isEmpty()) {
            return negotiator.make(alternatives);
        }
        var request = alternatives.get(0);
        var start = TimeSlot.later(old.get().slot().orElseThrow().start(), feasible.earliest(request));
        var widened = suits(old.get(), request, start)
                ? changes.widen(wantedChanges(old.get(), request, start))
                : new Widened(List.of(), "The offer has a program, or other parts, sites or times than the agreement.");
        if (!widened.reservations().isEmpty()) {
            return allocated(request, start, widened.reservations());
        }
        LOG.info(
                "Agreement {} is renegotiated beside what it holds: {}",
                old.get().id(),
                widened.whyNot());
        return negotiator
                .make(alternatives)
                .<NegotiationResult, RuntimeException>fold(
                        beside -> beside,
                        declined -> declined.because(
                                "\nNor can the old reservations be changed where they are: " + widened.whyNot()));
    }

    private static boolean suits(Agreement old, AgreementRequest request, Instant start) {
        boolean hasAllParts = old.commitments().size() == request.parts().size()
                && request.parts().stream()
                        .allMatch(part -> commitment(old, part).isPresent());
        return hasAllParts
                && request.timing().offsets().isPresent()
                && !start.plus(request.timing().span()).isAfter(FeasibleAlternatives.deadline(request, start));
    }

    /** The reservation of a part's term; empty unless the part may stay at its site. */
    private static Optional<SiteCommitment> commitment(Agreement old, RequestedPart part) {
        return old.commitments().stream()
                .filter(held -> held.term().equals(part.term())
                        && held.run().isEmpty()
                        && part.program().isEmpty()
                        && part.site().map(held.site()::equals).orElseGet(() -> isAsBefore(old, part)))
                .findFirst();
    }

    /** Whether the matchmaker chose the site by the same requirements, so that it may choose this site again. */
    private static boolean isAsBefore(Agreement old, RequestedPart part) {
        return part.split().isEmpty()
                && old.offer().alternatives().stream()
                        .flatMap(alternative -> alternative.parts().stream())
                        .anyMatch(before -> before.term().equals(part.term())
                                && before.site().isEmpty()
                                && before.requirements().equals(part.requirements()));
    }

    private static List<WantedChange> wantedChanges(Agreement old, AgreementRequest request, Instant start) {
        var offsets = request.timing().offsets().orElseThrow();
        var changes = new ArrayList<WantedChange>();
        for (int i = 0; i < offsets.size(); i++) {
            var part = request.parts().get(i);
            var held = commitment(old, part).orElseThrow();
            changes.add(new WantedChange(
                    new SiteReservation(held.site(), held.reservation()), part.request(), start.plus(offsets.get(i))));
        }
        return changes;
    }

    private static Allocated allocated(AgreementRequest request, Instant start, List<SiteReservation> reservations) {
        var commitments = IntStream.range(0, reservations.size())
                .mapToObj(i -> SiteCommitment.of(request.parts().get(i), reservations.get(i), Optional.empty()))
                .toList();
        return new Allocated(
                Optional.of(request), TimeSlot.of(start, request.timing().span()), commitments, NegotiationEffort.NONE);
    }
}
