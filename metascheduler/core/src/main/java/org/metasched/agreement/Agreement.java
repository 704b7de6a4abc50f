package org.metasched.agreement;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.SiteReservation;

/**
 * An agreement at one moment of its life: a value; each change makes another.
 *
 * @param slot from the common start to the last end, as agreed; nothing before the agreement is observed
 * @param commitments one for each part, in the order of the request; empty before the agreement is observed
 * @param guarantees state of each guarantee term by its name, in the order of the offer
 * @param reason why it was rejected or ended, for people
 * @param version counts the saves; 0 was never saved
 */
public record Agreement(
        AgreementId id,
        AgreementOffer offer,
        AgreementState state,
        Optional<TimeSlot> slot,
        List<Commitment> commitments,
        Map<String, GuaranteeState> guarantees,
        NegotiationEffort effort,
        Optional<String> reason,
        Instant created,
        Instant changed,
        long version) {

    public Agreement {
        commitments = List.copyOf(commitments);
        guarantees = Collections.unmodifiableMap(new LinkedHashMap<>(guarantees));
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
                NegotiationEffort.NONE,
                Optional.empty(),
                now,
                now,
                0);
    }

    /** Both sides are bound from now on. */
    public Agreement observed(TimeSlot agreed, List<Commitment> made, NegotiationEffort spent, Instant now) {
        checkEdge(AgreementState.OBSERVED);
        return new Agreement(
                id,
                offer,
                AgreementState.OBSERVED,
                Optional.of(agreed),
                made,
                guarantees,
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
                        ? commitments.stream().map(Commitment::givenBack).toList()
                        : commitments,
                guarantees,
                effort,
                why.isEmpty() ? reason : Optional.of(why),
                created,
                now,
                version);
    }

    /** With what the sites said of its reservations; guarantee states follow. Returns itself when nothing is new. */
    public Agreement seen(List<Commitment> looked, Instant now) {
        var judged = judge(looked);
        if (looked.equals(commitments) && judged.equals(guarantees)) {
            return this;
        }
        return new Agreement(id, offer, state, slot, looked, judged, effort, reason, created, now, version);
    }

    /** As it stands in the store after a save. */
    public Agreement saved(long newVersion) {
        return new Agreement(
                id, offer, state, slot, commitments, guarantees, effort, reason, created, changed, newVersion);
    }

    /** Parts that begin together, as last seen: all of them, or those of each stage of a workflow. */
    List<List<Commitment>> together(List<Commitment> seen) {
        return offer.alternatives().stream().allMatch(request -> request.lags().isEmpty())
                ? List.of(seen)
                : List.copyOf(seen.stream()
                        .collect(Collectors.groupingBy(Commitment::service))
                        .values());
    }

    /** What the agreement holds, one for each commitment, in their order. */
    public List<SiteReservation> reservations() {
        return commitments.stream()
                .map(c -> new SiteReservation(c.site(), c.reservation()))
                .toList();
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
        return states;
    }

    /** A guarantee is judged from the commitments in its scope; after the slot its last state stands. */
    private Map<String, GuaranteeState> judge(List<Commitment> looked) {
        Map<String, GuaranteeState> judged = new LinkedHashMap<>(guarantees);
        for (var term : offer.guarantees()) {
            var scope = looked.stream().filter(c -> term.covers(c.service())).toList();
            if (scope.stream()
                    .anyMatch(c -> c.state() == ReservationState.CANCELLED
                            || (c.state().isHeld() && c.isDegraded()))) {
                judged.put(term.name(), GuaranteeState.VIOLATED);
            } else if (scope.stream().anyMatch(c -> c.state() == ReservationState.ACTIVE)) {
                judged.put(term.name(), GuaranteeState.FULFILLED);
            } else if (scope.stream().allMatch(c -> c.state() == ReservationState.RESERVED)) {
                judged.put(term.name(), GuaranteeState.NOT_DETERMINED);
            }
        }
        return judged;
    }

    private void checkEdge(AgreementState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(
                    "Agreement " + id + " is " + state.term() + " and cannot become " + next.term() + ".");
        }
    }
}
