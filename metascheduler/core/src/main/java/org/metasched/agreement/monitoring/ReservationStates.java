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

/** The answers of sites about reservations at one poll. Nothing is asked of a site that is not known any more, and nothing changes for it. */
record ReservationStates(Map<StatusDigest.Place, Answer<ReservationStatus>> answers) {

    private static final Logger LOG = LoggerFactory.getLogger(ReservationStates.class);

    boolean isUnchanged(StatusDigest.Part part) {
        var answer = answers.get(part.place());
        return answer == null || answer.<Boolean>fold(part::isStill, problem -> false);
    }

    /** The sites that did not tell of a reservation which they do not deny. */
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

    /** One question to each site; a reservation that its answer leaves out is asked for by itself, which says why. */
    static ReservationStates ask(SiteCalls calls, Due due) throws InterruptedException {
        var bySite = Stream.concat(
                        due.calm().stream().flatMap(one -> one.parts().stream()).map(StatusDigest.Part::place),
                        due.whole().stream()
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
        Map<StatusDigest.Place, Answer<ReservationStatus>> seen = new HashMap<>();
        var left = new ArrayList<StatusDigest.Place>();
        for (var places : bySite.values()) {
            var answer = listed.next();
            for (var place : places) {
                of(place, answer).ifPresentOrElse(status -> seen.put(place, status), () -> left.add(place));
            }
        }
        var single = calls.askAll(left.stream()
                .map(place -> new Call<>(place.site(), site -> site.state(place.reservation())))
                .toList());
        for (int i = 0; i < left.size(); i++) {
            seen.put(left.get(i), single.get(i));
        }
        return new ReservationStates(seen);
    }

    private static Optional<Answer<ReservationStatus>> of(
            StatusDigest.Place place, Answer<Map<ReservationId, ReservationStatus>> listed) {
        return listed.fold(
                all -> Optional.ofNullable(all.get(place.reservation())).map(Answer.Got::new),
                problem -> Optional.of(new Answer.Failed<>(problem)));
    }

    /** A site that no longer knows a reservation has let it go: after its end as it should, before it against its word. */
    SiteCommitment seen(SiteCommitment commitment, Instant now) {
        var answer = answers.get(commitment.place());
        return answer == null
                ? commitment
                : answer.fold(commitment::seenAs, problem -> unseen(commitment, problem, now));
    }

    private static SiteCommitment unseen(SiteCommitment commitment, LocalSchedulerException problem, Instant now) {
        if (problem instanceof UnknownReservation) {
            boolean over = !now.isBefore(commitment.reservation().slot().end());
            return commitment.in(over ? ReservationState.FINISHED : ReservationState.CANCELLED);
        }
        LOG.warn(
                "Site {} does not tell the state of {}: {}",
                commitment.site(),
                commitment.reservation().id(),
                problem.getMessage());
        return commitment;
    }
}
