package org.metasched.agreement.monitoring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.DueQueue.Due;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.StatusDigest;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers of sites about reservations at one poll. A site that is no longer configured is not asked, and its reservations do not change. */
record ReservationStates(Map<StatusDigest.Place, Answer<ReservationStatus>> answers) {

    private static final Logger LOG = LoggerFactory.getLogger(ReservationStates.class);

    /** Whether the site was not asked, or holds the same as before. */
    boolean isUnchanged(StatusDigest.Part part) {
        var answer = answers.get(part.place());
        return answer == null || answer.<Boolean>fold(part::isUnchanged, problem -> false);
    }

    /** The sites that did not answer about some reservation. The answer that it is unknown is an answer. */
    Set<SiteId> silent(List<Agreement> agreements) {
        return agreements.stream()
                .flatMap(agreement -> agreement.commitments().stream())
                .filter(part -> Optional.ofNullable(answers.get(part.place()))
                        .filter(answer -> answer.<Boolean>fold(
                                status -> false, problem -> !(problem instanceof UnknownReservation)))
                        .isPresent())
                .map(SiteCommitment::site)
                .collect(Collectors.toSet());
    }

    /** Asks each site once about its reservations, and then one by one about those that its answer leaves out, to learn why. */
    static ReservationStates ask(SiteCalls calls, Due due) throws InterruptedException {
        var bySite = Stream.concat(
                        due.digests().stream().flatMap(d -> d.parts().stream()).map(StatusDigest.Part::place),
                        due.agreements().stream()
                                .filter(agreement -> agreement.state() == AgreementState.OBSERVED)
                                .flatMap(agreement -> agreement.commitments().stream())
                                .filter(part -> part.state().isHeld())
                                .map(SiteCommitment::place))
                .filter(place -> calls.directory().find(place.site()).isPresent())
                .collect(Collectors.groupingBy(StatusDigest.Place::site, LinkedHashMap::new, Collectors.toList()));
        var listings = new ArrayList<Call<Map<ReservationId, ReservationStatus>>>();
        bySite.forEach((at, places) -> listings.add(new Call<>(
                at,
                site -> site.states(
                        places.stream().map(StatusDigest.Place::reservation).toList()))));
        var listed = calls.askAll(listings).iterator();
        Map<StatusDigest.Place, Answer<ReservationStatus>> answers = new HashMap<>();
        var missing = new ArrayList<StatusDigest.Place>();
        for (var places : bySite.values()) {
            var answer = listed.next();
            for (var place : places) {
                of(place, answer).ifPresentOrElse(status -> answers.put(place, status), () -> missing.add(place));
            }
        }
        var single = calls.askAll(missing.stream()
                .map(place -> new Call<>(place.site(), site -> site.state(place.reservation())))
                .toList());
        for (int i = 0; i < missing.size(); i++) {
            answers.put(missing.get(i), single.get(i));
        }
        return new ReservationStates(answers);
    }

    /** The answer about one place in a site's listing; empty if the listing leaves it out. */
    private static Optional<Answer<ReservationStatus>> of(
            StatusDigest.Place place, Answer<Map<ReservationId, ReservationStatus>> listed) {
        return listed.fold(
                all -> Optional.ofNullable(all.get(place.reservation())).map(Answer.Got::new),
                problem -> Optional.of(new Answer.Failed<>(problem)));
    }

    /** The commitment after this poll. A reservation that its site no longer knows is finished if its slot is over, else cancelled. */
    SiteCommitment reported(SiteCommitment commitment, Instant now) {
        var answer = answers.get(commitment.place());
        return answer == null
                ? commitment
                : answer.fold(commitment::withStatus, problem -> unknown(commitment, problem, now));
    }

    private static SiteCommitment unknown(SiteCommitment commitment, LocalSchedulerException problem, Instant now) {
        if (problem instanceof UnknownReservation) {
            boolean over = !now.isBefore(commitment.reservation().slot().end());
            return commitment.withState(over ? ReservationState.FINISHED : ReservationState.CANCELLED);
        }
        LOG.warn(
                "Site {} does not tell the state of {}: {}",
                commitment.site(),
                commitment.reservation().id(),
                problem.getMessage());
        return commitment;
    }
}
