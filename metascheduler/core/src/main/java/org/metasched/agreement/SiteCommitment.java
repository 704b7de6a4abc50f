package org.metasched.agreement;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.SiteReservation;

/**
 * One site's part of an agreement, as last seen.
 *
 * @param term name of the term that it fulfils
 * @param service name of the service that the term describes
 * @param lostNodes names of nodes that are down and not replaced
 * @param run the program that runs in the reservation; empty if the part has none
 */
public record SiteCommitment(
        String term,
        String service,
        SiteId site,
        Reservation reservation,
        ReservationState state,
        List<String> lostNodes,
        Optional<ProgramRun> run) {

    public SiteCommitment {
        lostNodes = List.copyOf(lostNodes);
    }

    /** The commitment of a site that has just confirmed a reservation for a part. */
    public static SiteCommitment of(RequestedPart part, SiteReservation held, Optional<ProgramRun> run) {
        return new SiteCommitment(
                part.term(),
                part.service(),
                held.site(),
                held.reservation(),
                ReservationState.RESERVED,
                List.of(),
                run);
    }

    /** Site and id of the reservation. */
    public StatusDigest.Place place() {
        return new StatusDigest.Place(site, reservation.id());
    }

    /** The state of the service that the reservation stands for. */
    public ServiceTermState serviceState() {
        return ServiceTermState.of(state);
    }

    /** Whether nodes of the reservation are down and not replaced. */
    public boolean isDegraded() {
        return !lostNodes.isEmpty();
    }

    /** The commitment as its site reports it. */
    public SiteCommitment withStatus(ReservationStatus status) {
        return new SiteCommitment(term, service, site, status.reservation(), status.state(), status.lostNodes(), run);
    }

    /** The commitment with another reservation in place of its own. Its program, if it has one, must be handed over again. */
    public SiteCommitment movedTo(SiteReservation other) {
        var newRun = run.map(program -> program.withStatus(JobStatus.NEW));
        return new SiteCommitment(
                term, service, other.site(), other.reservation(), ReservationState.RESERVED, List.of(), newRun);
    }

    /** The commitment after the end of its agreement: nothing is held any more. */
    SiteCommitment givenBack() {
        return state.isHeld() ? withState(ReservationState.CANCELLED) : this;
    }

    /** The commitment with another state of its reservation. */
    public SiteCommitment withState(ReservationState next) {
        return new SiteCommitment(term, service, site, reservation, next, lostNodes, run);
    }

    /** The commitment with another status of its program. */
    public SiteCommitment withProgramStatus(JobStatus status) {
        return new SiteCommitment(
                term, service, site, reservation, state, lostNodes, run.map(program -> program.withStatus(status)));
    }

    /** Whether it has a program that has not reached a final state. */
    public boolean awaitsProgram() {
        return run.filter(program -> !program.status().state().isFinal()).isPresent();
    }

    /** The site's reason for refusing the program; empty if it has not refused. */
    public Optional<String> programRefusal() {
        return run.map(ProgramRun::status)
                .filter(status -> status.state() == JobStatus.State.REFUSED)
                .map(JobStatus::detail);
    }
}
