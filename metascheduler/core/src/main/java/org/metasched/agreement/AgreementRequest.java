package org.metasched.agreement;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.adapter.TimeSlot;
import org.metasched.choice.Preference;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.StageTiming;
import org.metasched.negotiation.TemporalConstraint;

/**
 * The request in an offer: all parts in one slot, or each service's in a slot of its own.
 *
 * @param parts in the order of the document
 * @param earliest not before; nothing means as soon as possible
 * @param deadline every part has ended by then; nothing means whatever the sites' look-ahead allows
 * @param preference order of several plans
 * @param lags between services, which are the stages of a workflow; none if all parts begin together
 * @param alternative the way of the term tree that it is; nothing where there is one way, with all guarantees
 */
public record AgreementRequest(
        List<RequestedPart> parts,
        Optional<Instant> earliest,
        Optional<Instant> deadline,
        Preference preference,
        List<TemporalConstraint> lags,
        Optional<TermAlternative> alternative) {

    /** Each doubles the number of variants. */
    private static final int MOST_LONGER = 4;

    /** The only way of its offer. */
    public AgreementRequest(
            List<RequestedPart> parts,
            Optional<Instant> earliest,
            Optional<Instant> deadline,
            Preference preference,
            List<TemporalConstraint> lags) {
        this(parts, earliest, deadline, preference, lags, Optional.empty());
    }

    /** All parts begin together. */
    public AgreementRequest(
            List<RequestedPart> parts, Optional<Instant> earliest, Optional<Instant> deadline, Preference preference) {
        this(parts, earliest, deadline, preference, List.of());
    }

    /** A request for a start as soon as possible. */
    public AgreementRequest(List<RequestedPart> parts, Optional<Instant> earliest, Optional<Instant> deadline) {
        this(parts, earliest, deadline, Preference.START);
    }

    public AgreementRequest {
        parts = List.copyOf(parts);
        lags = List.copyOf(lags);
        if (parts.isEmpty() || parts.size() > CoAllocationRequest.MOST_PARTS) {
            throw new IllegalArgumentException("The number of resource terms (" + parts.size() + ") must be from 1 to "
                    + CoAllocationRequest.MOST_PARTS + ".");
        }
        if (parts.stream().filter(AgreementRequest::takesLonger).count() > MOST_LONGER) {
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
        timing(parts, lags);
    }

    /** When the parts may begin. */
    public StageTiming timing() {
        return timing(parts, lags);
    }

    /** Names of its terms. */
    Set<String> terms() {
        return parts.stream().map(RequestedPart::term).collect(Collectors.toSet());
    }

    /** Whether reservations of its terms in a slot are what it asks for. */
    boolean isFulfilledBy(List<SiteCommitment> made, TimeSlot slot) {
        boolean inTime = earliest.filter(slot.start()::isBefore).isEmpty()
                && deadline.filter(slot.end()::isAfter).isEmpty();
        return inTime
                && parts.stream()
                        .allMatch(part -> part.isFulfilledBy(made.stream()
                                .filter(one -> one.term().equals(part.term()))
                                .toList()));
    }

    /** The place of its way in document order. */
    public int order() {
        return alternative.map(TermAlternative::order).orElse(0);
    }

    /** Nodes times hours of its parts. */
    public double nodeHours() {
        return parts.stream()
                .map(RequestedPart::request)
                .mapToDouble(r -> r.need().nodeHours(r.duration()))
                .sum();
    }

    private static StageTiming timing(List<RequestedPart> parts, List<TemporalConstraint> lags) {
        return StageTiming.of(
                parts.stream().map(RequestedPart::service).toList(),
                parts.stream().map(part -> part.request().duration()).toList(),
                lags);
    }

    /**
     * The request's variants: with every part that takes longer at several sites once at one site, and once in pieces. What is used beside
     * it in its stage, for as long at least, lasts as long. The shortest comes first.
     */
    public List<AgreementRequest> variants() {
        return ways().stream()
                .map(way -> way == this ? this : way.besides(parts))
                .toList();
    }

    /** @param asked the parts before some were lengthened */
    private AgreementRequest besides(List<RequestedPart> asked) {
        var all = IntStream.range(0, asked.size()).boxed().toList();
        var others = all.stream()
                .map(i -> parts.get(i)
                        .lasting(all.stream()
                                .filter(j -> asked.get(j)
                                        .service()
                                        .equals(asked.get(i).service()))
                                .filter(j -> asked.get(j)
                                                .request()
                                                .duration()
                                                .compareTo(
                                                        asked.get(i).request().duration())
                                        <= 0)
                                .map(j -> parts.get(j).request().duration())
                                .max(Comparator.naturalOrder())
                                .orElseThrow()))
                .toList();
        return with(others, earliest, deadline);
    }

    private List<AgreementRequest> ways() {
        for (var part : parts) {
            if (takesLonger(part)) {
                return Stream.of(part.atOneSite(), part.inPieces())
                        .map(other -> parts.stream()
                                .map(one -> one == part ? other : one)
                                .toList())
                        .flatMap(others -> with(others, earliest, deadline).ways().stream())
                        .toList();
            }
        }
        return List.of(this);
    }

    private static boolean takesLonger(RequestedPart part) {
        return part.split().filter(split -> split.overhead() > 0).isPresent();
    }

    /** The same stages with other parts, at other times. */
    public AgreementRequest with(List<RequestedPart> others, Optional<Instant> from, Optional<Instant> until) {
        return new AgreementRequest(others, from, until, preference, lags, alternative);
    }
}
