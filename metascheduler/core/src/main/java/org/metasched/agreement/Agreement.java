package org.metasched.agreement;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.SiteReservation;

/**
 * An agreement at one moment of its life. Immutable: each change returns another one.
 *
 * @param slot time from the common start to the last end, as agreed; empty before the agreement is observed
 * @param commitments one for each part, in the order of the request; empty before the agreement is observed
 * @param guarantees state of each guarantee term by its name, in the order of the offer
 * @param assessments one for each compensation of the guarantee terms, in the order of the offer
 * @param effort questions and rounds of its negotiation
 * @param reason reason of its rejection or end, for people; empty if there is none
 * @param changed time of the last change
 * @param version number of saves; 0 if it was never saved
 */
public record Agreement(
        AgreementId id,
        AgreementOffer offer,
        AgreementState state,
        Optional<TimeSlot> slot,
        List<SiteCommitment> commitments,
        Map<String, GuaranteeState> guarantees,
        List<CompensationAssessment> assessments,
        NegotiationEffort effort,
        Optional<String> reason,
        Instant created,
        Instant changed,
        long version) {

    public Agreement {
        commitments = List.copyOf(commitments);
        guarantees = Collections.unmodifiableMap(new LinkedHashMap<>(guarantees));
        assessments = List.copyOf(assessments);
    }

    /** A new agreement, pending. */
    public static Agreement offered(AgreementId id, AgreementOffer offer, Instant now) {
        Map<String, GuaranteeState> guarantees = new LinkedHashMap<>();
        offer.guarantees().forEach(g -> guarantees.put(g.name(), GuaranteeState.NOT_DETERMINED));
        return new Agreement(
                id,
                offer,
                AgreementState.PENDING,
                Optional.empty(),
                List.of(),
                guarantees,
                noAssessments(offer),
                NegotiationEffort.NONE,
                Optional.empty(),
                now,
                now,
                0);
    }

    private static List<CompensationAssessment> noAssessments(AgreementOffer offer) {
        int count = offer.guarantees().stream()
                .mapToInt(g -> g.compensations().size())
                .sum();
        return Collections.nCopies(count, CompensationAssessment.NONE);
    }

    /**
     * The observed agreement: both sides are bound from now on by these commitments in this slot.
     *
     * @param alternative the alternative for which they were made; empty keeps all
     */
    public Agreement observed(
            Optional<AgreementRequest> alternative,
            TimeSlot agreed,
            List<SiteCommitment> reserved,
            NegotiationEffort spent,
            Instant now) {
        checkEdge(AgreementState.OBSERVED);
        var agreedOn = offer.agreedOn(alternative);
        return new Agreement(
                id,
                agreedOn,
                AgreementState.OBSERVED,
                Optional.of(agreed),
                reserved,
                guarantees,
                noAssessments(agreedOn),
                spent,
                Optional.empty(),
                created,
                now,
                version);
    }

    /**
     * The agreement in another state. All assessment intervals end; once it is terminated, nothing is held any more.
     *
     * @param why reason for people; if empty, the agreement keeps the reason that it has
     * @throws IllegalStateException when the state model has no such edge
     */
    public Agreement become(AgreementState next, String why, Instant now) {
        checkEdge(next);
        var kept = next == AgreementState.TERMINATED
                ? commitments.stream().map(SiteCommitment::givenBack).toList()
                : commitments;
        var newReason = why.isEmpty() ? reason : Optional.of(why);
        return new Agreement(
                id, offer, next, slot, kept, guarantees, lastAssessments(), effort, newReason, created, now, version);
    }

    /** The agreement with these parts, as their sites report them. Returns itself if nothing has changed. */
    public Agreement withParts(List<SiteCommitment> reported, Instant now) {
        return withParts(reported, guarantees, assessments, now);
    }

    /** The agreement with these parts, as their sites report them, and these guarantees. Returns itself if nothing has changed. */
    public Agreement withParts(
            List<SiteCommitment> reported,
            Map<String, GuaranteeState> judged,
            List<CompensationAssessment> assessed,
            Instant now) {
        if (reported.equals(commitments) && judged.equals(guarantees) && assessed.equals(assessments)) {
            return this;
        }
        return new Agreement(id, offer, state, slot, reported, judged, assessed, effort, reason, created, now, version);
    }

    /** The agreement as it is stored after a save, with the number of its saves. */
    public Agreement saved(long number) {
        return new Agreement(
                id, offer, state, slot, commitments, guarantees, assessments, effort, reason, created, changed, number);
    }

    /** The agreement with other documents of its offer, for a store that keeps them apart. */
    public Agreement withDocuments(OfferDocument document, Optional<OfferDocument> acceptance) {
        var kept = offer.withDocuments(document, acceptance);
        return new Agreement(
                id, kept, state, slot, commitments, guarantees, assessments, effort, reason, created, changed, version);
    }

    /** Groups of these parts that begin together: one group of all parts, or one for each stage of a workflow. */
    public List<List<SiteCommitment>> byCommonStart(List<SiteCommitment> parts) {
        return offer.alternatives().stream().allMatch(request -> request.lags().isEmpty())
                ? List.of(parts)
                : List.copyOf(parts.stream()
                        .collect(Collectors.groupingBy(SiteCommitment::service))
                        .values());
    }

    /** Reservations that the agreement holds, one for each commitment, in their order. */
    public List<SiteReservation> reservations() {
        return commitments.stream()
                .map(c -> new SiteReservation(c.site(), c.reservation()))
                .toList();
    }

    /** Whether one of its parts is at the site of this name. */
    public boolean isAt(String site) {
        return commitments.stream().anyMatch(part -> part.site().value().equals(site));
    }

    /** Whether its slot overlaps a time. An empty bound is open. With two open bounds the answer is true, even without a slot. */
    public boolean overlaps(Optional<Instant> from, Optional<Instant> to) {
        return from.isEmpty() && to.isEmpty()
                || slot.filter(held -> from.map(held.end()::isAfter).orElse(true)
                                && to.map(held.start()::isBefore).orElse(true))
                        .isPresent();
    }

    /** Whether its slot has begun at an instant; false if it has none. */
    public boolean hasBegun(Instant now) {
        return slot.filter(agreed -> !now.isBefore(agreed.start())).isPresent();
    }

    /** Node hours (nodes times hours) of its reservations together; while it is undecided, of its largest alternative. */
    public double nodeHours() {
        if (state.isUndecided()) {
            return offer.alternatives().stream()
                    .mapToDouble(AgreementRequest::nodeHours)
                    .max()
                    .orElse(0);
        }
        return commitments.stream()
                .map(SiteCommitment::reservation)
                .mapToDouble(r -> r.granted().nodeHours(r.slot().length()))
                .sum();
    }

    /** The time from the first begin of its reservations to their last end; empty without reservations. */
    public Optional<TimeSlot> held() {
        return commitments.stream()
                .map(c -> c.reservation().slot())
                .reduce((one, other) -> new TimeSlot(
                        TimeSlot.earlier(one.start(), other.start()), TimeSlot.later(one.end(), other.end())));
    }

    /** The journal keys of its reservations, in the order of the commitments. */
    public List<RequestKey> keys() {
        return commitments.stream().map(c -> c.reservation().key()).toList();
    }

    /**
     * State of each service term that asks for resources, by its name: that of its least advanced piece. Not ready before there are
     * commitments; completed once the agreement has ended, unless it was rejected.
     */
    public Map<String, ServiceTermState> serviceStates() {
        Map<String, ServiceTermState> states = new LinkedHashMap<>();
        if (commitments.isEmpty()) {
            offer.alternatives().get(0).parts().forEach(p -> states.put(p.term(), ServiceTermState.NOT_READY));
        }
        commitments.forEach(c -> states.merge(c.term(), c.serviceState(), (a, b) -> a.compareTo(b) <= 0 ? a : b));
        if (state.isFinal() && state != AgreementState.REJECTED) {
            states.replaceAll((term, reached) -> ServiceTermState.COMPLETED);
        }
        return states;
    }

    /** The state of a service term; a term that asks for no resources follows the terms that do. */
    public ServiceTermState serviceState(String term) {
        var states = serviceStates();
        if (states.containsKey(term)) {
            return states.get(term);
        }
        if (!states.isEmpty() && states.values().stream().allMatch(s -> s == ServiceTermState.COMPLETED)) {
            return ServiceTermState.COMPLETED;
        }
        return states.containsValue(ServiceTermState.READY) ? ServiceTermState.READY : ServiceTermState.NOT_READY;
    }

    /** The compensations of its guarantee terms, in the order of the offer, with the name of the term of each. */
    public List<Map.Entry<String, Compensation>> compensations() {
        return offer.guarantees().stream()
                .flatMap(term -> term.compensations().stream().map(c -> Map.entry(term.name(), c)))
                .toList();
    }

    private List<CompensationAssessment> lastAssessments() {
        var due = compensations();
        return IntStream.range(0, due.size())
                .mapToObj(i -> assessments.get(i).atEnd(due.get(i).getValue()))
                .toList();
    }

    private void checkEdge(AgreementState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(
                    "Agreement " + id + " is " + state.term() + " and cannot become " + next.term() + ".");
        }
    }
}
