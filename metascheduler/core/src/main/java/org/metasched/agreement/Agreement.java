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
 * An agreement at one moment of its life: a value; each change makes another.
 *
 * @param slot from the common start to the last end, as agreed; nothing before the agreement is observed
 * @param commitments one for each part, in the order of the request; empty before the agreement is observed
 * @param guarantees state of each guarantee term by its name, in the order of the offer
 * @param assessments one for each compensation of the guarantee terms, in the order of the offer
 * @param reason why it was rejected or ended, for people
 * @param version counts the saves; 0 was never saved
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

    /** A new one, pending. */
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

    /** Both sides are bound from now on. */
    public Agreement observed(TimeSlot agreed, List<SiteCommitment> made, NegotiationEffort spent, Instant now) {
        checkEdge(AgreementState.OBSERVED);
        var agreedOn = offer.agreedOn(made, agreed);
        return new Agreement(
                id,
                agreedOn,
                AgreementState.OBSERVED,
                Optional.of(agreed),
                made,
                guarantees,
                noAssessments(agreedOn),
                spent,
                Optional.empty(),
                created,
                now,
                version);
    }

    /**
     * @throws IllegalStateException when the state model has no such edge
     */
    public Agreement become(AgreementState next, String why, Instant now) {
        checkEdge(next);
        return new Agreement(
                id,
                offer,
                next,
                slot,
                next == AgreementState.TERMINATED
                        ? commitments.stream().map(SiteCommitment::givenBack).toList()
                        : commitments,
                guarantees,
                lastAssessments(),
                effort,
                why.isEmpty() ? reason : Optional.of(why),
                created,
                now,
                version);
    }

    /** The agreement with what the sites said of its reservations. Returns itself when nothing is new. */
    public Agreement seen(List<SiteCommitment> looked, Instant now) {
        return seen(looked, guarantees, assessments, now);
    }

    /** The agreement with what the sites said of its reservations, and what that says of its guarantees. Returns itself when nothing is new. */
    public Agreement seen(
            List<SiteCommitment> looked,
            Map<String, GuaranteeState> judged,
            List<CompensationAssessment> assessed,
            Instant now) {
        if (looked.equals(commitments) && judged.equals(guarantees) && assessed.equals(assessments)) {
            return this;
        }
        return new Agreement(id, offer, state, slot, looked, judged, assessed, effort, reason, created, now, version);
    }

    /** The agreement as it stands in the store after a save. */
    public Agreement saved(long newVersion) {
        return new Agreement(
                id,
                offer,
                state,
                slot,
                commitments,
                guarantees,
                assessments,
                effort,
                reason,
                created,
                changed,
                newVersion);
    }

    /** Parts that begin together, as last seen: all of them, or those of each stage of a workflow. */
    public List<List<SiteCommitment>> together(List<SiteCommitment> seen) {
        return offer.alternatives().stream().allMatch(request -> request.lags().isEmpty())
                ? List.of(seen)
                : List.copyOf(seen.stream()
                        .collect(Collectors.groupingBy(SiteCommitment::service))
                        .values());
    }

    /** Reservations that the agreement holds, one for each commitment, in their order. */
    public List<SiteReservation> reservations() {
        return commitments.stream()
                .map(c -> new SiteReservation(c.site(), c.reservation()))
                .toList();
    }

    /** Whether a part of it is at the site of a name. */
    public boolean isAt(String site) {
        return commitments.stream().anyMatch(part -> part.site().value().equals(site));
    }

    /** Whether the agreement has a slot that reaches into a time; without bounds all are. */
    public boolean isWithin(Optional<Instant> from, Optional<Instant> to) {
        return from.isEmpty() && to.isEmpty()
                || slot.filter(held -> from.map(held.end()::isAfter).orElse(true)
                                && to.map(held.start()::isBefore).orElse(true))
                        .isPresent();
    }

    /** Nodes times hours of its reservations. */
    public double nodeHours() {
        return commitments.stream()
                .map(SiteCommitment::reservation)
                .mapToDouble(r -> r.granted().nodeHours(r.slot().length()))
                .sum();
    }

    /** The time from the first begin of its reservations to their last end. */
    public Optional<TimeSlot> held() {
        var slots = commitments.stream().map(c -> c.reservation().slot()).toList();
        return slots.stream()
                .map(TimeSlot::start)
                .min(Instant::compareTo)
                .map(start -> new TimeSlot(
                        start,
                        slots.stream()
                                .map(TimeSlot::end)
                                .max(Instant::compareTo)
                                .orElseThrow()));
    }

    /** The journal keys of its reservations, in the order of the commitments. */
    public List<RequestKey> keys() {
        return commitments.stream().map(c -> c.reservation().key()).toList();
    }

    /** The state of each term that commitments fulfil, by its name: that of its hindmost piece; not ready while there is none. */
    public Map<String, ServiceTermState> serviceStates() {
        Map<String, ServiceTermState> states = new LinkedHashMap<>();
        if (commitments.isEmpty()) {
            offer.alternatives().get(0).parts().forEach(p -> states.put(p.term(), ServiceTermState.NOT_READY));
        }
        commitments.forEach(
                c -> states.merge(c.term(), c.serviceState(), (one, other) -> one.compareTo(other) <= 0 ? one : other));
        if (state.isFinal() && state != AgreementState.REJECTED) {
            states.replaceAll((term, reached) -> ServiceTermState.COMPLETED);
        }
        return states;
    }

    /** The state of a service term; one that asks for no resources follows those that do. */
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
                .mapToObj(i -> assessments.get(i).last(due.get(i).getValue()))
                .toList();
    }

    private void checkEdge(AgreementState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(
                    "Agreement " + id + " is " + state.term() + " and cannot become " + next.term() + ".");
        }
    }
}
