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
import org.metasched.negotiation.InPlaceChange.Widened;
import org.metasched.negotiation.InPlaceChange.Wish;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.SiteReservation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renegotiates an agreement by changes to its reservations in place: for parts without programs, with fixed offsets, that are,
 * term by term, at the same sites. Thread-safe.
 */
record InPlaceRenegotiation(OfferNegotiator negotiator, InPlaceChange changes, FeasibleAlternatives feasible) {

    private static final Logger LOG = LoggerFactory.getLogger(InPlaceRenegotiation.class);

    /** Changes the old agreement's reservations in place, if there is one and its sites can; otherwise makes new ones beside them. */
    NegotiationResult negotiate(Optional<Agreement> old, List<AgreementRequest> alternatives)
            throws InterruptedException {
        if (old.isEmpty()) {
            return negotiator.make(alternatives);
        }
        var way = alternatives.get(0);
        var widened = suits(old.get(), way)
                ? changes.widen(wishes(old.get(), way))
                : new Widened(List.of(), "The offer has a program, or other parts, sites or times than the agreement.");
        if (!widened.reservations().isEmpty()) {
            return allocated(way, start(old.get(), way), widened.reservations());
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

    private boolean suits(Agreement old, AgreementRequest way) {
        var offsets = way.timing().offsets();
        boolean hasAllParts = old.commitments().size() == way.parts().size()
                && way.parts().stream().allMatch(part -> commitment(old, part).isPresent());
        return hasAllParts
                && offsets.isPresent()
                && !start(old, way).plus(way.timing().span()).isAfter(deadline(way));
    }

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
                        .flatMap(way -> way.parts().stream())
                        .anyMatch(before -> before.term().equals(part.term())
                                && before.site().isEmpty()
                                && before.requirements().equals(part.requirements()));
    }

    private Instant start(Agreement old, AgreementRequest way) {
        return TimeSlot.later(old.slot().orElseThrow().start(), feasible.earliest(way));
    }

    private Instant deadline(AgreementRequest way) {
        return FeasibleAlternatives.deadline(way, feasible.earliest(way));
    }

    private List<Wish> wishes(Agreement old, AgreementRequest way) {
        var offsets = way.timing().offsets().orElseThrow();
        var wishes = new ArrayList<Wish>();
        for (int i = 0; i < offsets.size(); i++) {
            var part = way.parts().get(i);
            var held = commitment(old, part).orElseThrow();
            var start = start(old, way).plus(offsets.get(i));
            wishes.add(new Wish(new SiteReservation(held.site(), held.reservation()), part.request(), start));
        }
        return wishes;
    }

    private static Allocated allocated(AgreementRequest way, Instant start, List<SiteReservation> reservations) {
        var commitments = IntStream.range(0, reservations.size())
                .mapToObj(i -> SiteCommitment.of(way.parts().get(i), reservations.get(i), Optional.empty()))
                .toList();
        return new Allocated(TimeSlot.of(start, way.timing().span()), commitments, NegotiationEffort.NONE);
    }
}
