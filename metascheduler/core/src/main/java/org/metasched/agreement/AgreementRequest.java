package org.metasched.agreement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.choice.Preference;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.StageTiming;
import org.metasched.negotiation.TemporalConstraint;

/**
 * One request of an offer: all parts in one slot, or the parts of each service in a slot of their own.
 *
 * @param parts parts in the order of the document
 * @param earliest earliest start; empty: as soon as possible
 * @param deadline latest end of every part; empty: as far as the sites look ahead
 * @param preference order by which the best of several plans is chosen
 * @param lags bounds of the times between services, the stages of a workflow; none if all parts begin together
 * @param alternative place in the term tree of the offer; empty if the offer has one alternative, with all guarantees
 */
public record AgreementRequest(
        List<RequestedPart> parts,
        Optional<Instant> earliest,
        Optional<Instant> deadline,
        Preference preference,
        List<TemporalConstraint> lags,
        Optional<TermAlternative> alternative) {

    /** Most parts that take longer in pieces: each doubles the number of variants. */
    private static final int MOST_LONGER = 4;

    /** A request that is the only alternative of its offer, and whose parts all begin together, as soon as possible. */
    public AgreementRequest(List<RequestedPart> parts, Optional<Instant> earliest, Optional<Instant> deadline) {
        this(parts, earliest, deadline, Preference.START, List.of(), Optional.empty());
    }

    public AgreementRequest {
        parts = List.copyOf(parts);
        lags = List.copyOf(lags);
        if (parts.isEmpty() || parts.size() > CoAllocationRequest.MOST_PARTS) {
            throw new IllegalArgumentException("The number of resource terms (" + parts.size() + ") must be from 1 to "
                    + CoAllocationRequest.MOST_PARTS + ".");
        }
        if (parts.stream().filter(AgreementRequest::takesLongerInPieces).count() > MOST_LONGER) {
            throw new IllegalArgumentException(
                    "No more than " + MOST_LONGER + " resource terms may take longer at several sites.");
        }
        var names = new HashSet<String>();
        for (var part : parts) {
            if (!names.add(part.term())) {
                throw new IllegalArgumentException(
                        "The term name (" + part.term() + ") occurs twice; term names must be unique.");
            }
        }
        // Refuses lags that contradict each other or name no service.
        timing(parts, lags);
    }

    /** Starts of the parts relative to each other. */
    public StageTiming timing() {
        return timing(parts, lags);
    }

    /** Position of its alternative in the document, from 0. */
    public int order() {
        return alternative.map(TermAlternative::order).orElse(0);
    }

    /** Node hours (nodes times hours) of its parts together, by the variant that takes most. */
    public double nodeHours() {
        return variants().stream()
                .mapToDouble(variant -> variant.parts.stream()
                        .map(RequestedPart::request)
                        .mapToDouble(r -> r.need().nodeHours(r.duration()))
                        .sum())
                .max()
                .orElseThrow();
    }

    private static StageTiming timing(List<RequestedPart> parts, List<TemporalConstraint> lags) {
        return StageTiming.of(
                parts.stream().map(RequestedPart::service).toList(),
                parts.stream().map(part -> part.request().duration()).toList(),
                lags);
    }

    /**
     * The request's variants, first the one that takes the least time. A part that takes longer in pieces is at one site in half of the
     * variants. In the other half it is in pieces, and lengthens the parts of its stage that were asked to last at least as long.
     */
    public List<AgreementRequest> variants() {
        return placements().stream()
                .map(placed -> placed == this ? this : placed.lengthenedTogether(parts))
                .toList();
    }

    /**
     * Lengthens each part to the longest present duration among the parts of its stage that were asked to last no longer than it.
     *
     * @param asked the parts before some were lengthened
     */
    private AgreementRequest lengthenedTogether(List<RequestedPart> asked) {
        var lengthened = new ArrayList<RequestedPart>();
        for (var part : asked) {
            var longest = Duration.ZERO;
            for (int i = 0; i < asked.size(); i++) {
                var other = asked.get(i);
                boolean lastsNoLonger =
                        other.request().duration().compareTo(part.request().duration()) <= 0;
                var duration = parts.get(i).request().duration();
                if (other.service().equals(part.service()) && lastsNoLonger && duration.compareTo(longest) > 0) {
                    longest = duration;
                }
            }
            lengthened.add(parts.get(lengthened.size()).lasting(longest));
        }
        return with(lengthened, earliest, deadline);
    }

    /** The request itself, or two for each part that takes longer in pieces: with the part at one site, and in pieces. */
    private List<AgreementRequest> placements() {
        for (var part : parts) {
            if (takesLongerInPieces(part)) {
                return Stream.of(part.atOneSite(), part.inPieces())
                        .map(other -> parts.stream()
                                .map(old -> old == part ? other : old)
                                .toList())
                        .flatMap(others -> with(others, earliest, deadline).placements().stream())
                        .toList();
            }
        }
        return List.of(this);
    }

    private static boolean takesLongerInPieces(RequestedPart part) {
        return part.split().filter(split -> split.overhead() > 0).isPresent();
    }

    /** The request with other bounds of time, to begin as soon as possible. */
    public AgreementRequest soonest(Optional<Instant> from, Optional<Instant> until) {
        return new AgreementRequest(parts, from, until, Preference.START, lags, alternative);
    }

    /** The request with other parts and other bounds of time. */
    public AgreementRequest with(List<RequestedPart> others, Optional<Instant> from, Optional<Instant> until) {
        return new AgreementRequest(others, from, until, preference, lags, alternative);
    }
}
