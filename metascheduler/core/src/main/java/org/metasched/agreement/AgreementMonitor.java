package org.metasched.agreement;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the reservations of living agreements, and lets services, guarantees and the agreement itself follow. To be
 * called from time to time, by one thread.
 *
 * <p>An agreement is complete when each of its reservations has ended. One that loses a reservation before its slot, or
 * all of them at any time, is of no use as a co-allocation and is ended; one that loses a part while it runs goes on, with
 * its guarantee violated. What a silent site holds is not known, and nothing changes for it. When the slot has begun,
 * networks and sites are told the nodes of the job ({@link RuntimeBinding}).
 */
public final class AgreementMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementMonitor.class);
    private static final int MOST_AGREEMENTS = 100_000;
    private static final int CHUNK = 64;

    private final AgreementService service;
    private final AgreementService.Books books;
    private final SiteCalls calls;
    private final Clock clock;
    private final RuntimeBinding runtime;
    private final Programs programs;

    /**
     * @param service ends agreements that lost a reservation
     * @param books where the agreements are kept
     * @param calls how sites are asked
     * @param programs the service's
     * @param clock decides whether a slot has begun
     */
    public AgreementMonitor(
            AgreementService service, AgreementService.Books books, SiteCalls calls, Programs programs, Clock clock) {
        this.service = service;
        this.books = books;
        this.calls = calls;
        this.clock = clock;
        this.runtime = new RuntimeBinding(calls);
        this.programs = programs;
    }

    /**
     * One look at every agreement that is observed or being ended.
     *
     * @return how many agreements changed
     */
    public int look() throws InterruptedException {
        var living = books.repository()
                .inState(Set.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING), MOST_AGREEMENTS);
        int changed = 0;
        for (int from = 0; from < living.size(); from += CHUNK) {
            var chunk = living.subList(from, Math.min(living.size(), from + CHUNK));
            var seen = programs.follow(chunk, look(chunk));
            runtime.follow(seen);
            for (int i = 0; i < chunk.size(); i++) {
                changed += follow(chunk.get(i), seen.get(i)) ? 1 : 0;
            }
        }
        var keys = living.stream().flatMap(a -> a.keys().stream()).collect(Collectors.toSet());
        runtime.keepOnly(keys);
        programs.keepOnly(keys);
        return changed;
    }

    /** Ends agreements that have passed the expiration their initiator set. */
    public void expire() throws InterruptedException {
        Instant now = clock.instant();
        for (var agreement : books.repository().inState(Set.of(AgreementState.OBSERVED), MOST_AGREEMENTS)) {
            if (agreement.offer().expiration().filter(e -> !e.isAfter(now)).isPresent()) {
                service.terminate(
                        agreement.id(),
                        "It expired at " + agreement.offer().expiration().get() + ".");
            }
        }
    }

    /** The parts of each, as they stand now; none of those that are being ended, which are not asked about. */
    private List<List<Commitment>> look(List<Agreement> agreements) throws InterruptedException {
        var observed = agreements.stream()
                .filter(a -> a.state() == AgreementState.OBSERVED)
                .toList();
        var answers = ask(observed);
        return agreements.stream()
                .map(a -> a.state() == AgreementState.OBSERVED
                        ? a.commitments().stream()
                                .map(c -> seen(c, answers.get(c.reservation().key())))
                                .toList()
                        : List.<Commitment>of())
                .toList();
    }

    private Map<RequestKey, Answer<ReservationStatus>> ask(List<Agreement> agreements) throws InterruptedException {
        List<Commitment> asked = new ArrayList<>();
        List<Call<ReservationStatus>> questions = new ArrayList<>();
        for (var agreement : agreements) {
            for (var commitment : agreement.commitments()) {
                if (commitment.state().isHeld()
                        && calls.directory().find(commitment.site()).isPresent()) {
                    asked.add(commitment);
                    questions.add(new Call<>(
                            commitment.site(),
                            site -> site.state(commitment.reservation().id())));
                }
            }
        }
        var answers = calls.askAll(questions);
        Map<RequestKey, Answer<ReservationStatus>> seen = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            seen.put(asked.get(i).reservation().key(), answers.get(i));
        }
        return seen;
    }

    private boolean follow(Agreement agreement, List<Commitment> commitments) throws InterruptedException {
        try {
            return agreement.state() == AgreementState.OBSERVED_AND_TERMINATING
                    ? service.finish(agreement).state().isFinal()
                    : judge(agreement, commitments);
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next look will see", agreement.id());
            return false;
        }
    }

    private boolean judge(Agreement agreement, List<Commitment> commitments) throws InterruptedException {
        Instant now = clock.instant();
        var next = agreement.seen(commitments, now);
        if (next != agreement) {
            next = books.repository().save(next);
        }
        var lost = commitments.stream()
                .filter(c -> c.state() == ReservationState.CANCELLED)
                .toList();
        boolean begun = agreement.slot().filter(s -> !now.isBefore(s.start())).isPresent();
        if (!lost.isEmpty() && (!begun || lost.size() == commitments.size())) {
            service.terminate(agreement.id(), "Lost " + names(lost) + ".");
            return true;
        }
        var refused =
                commitments.stream().flatMap(c -> c.programRefusal().stream()).findFirst();
        if (refused.isPresent() && !begun) {
            service.terminate(agreement.id(), "A program will not run. " + refused.get());
            return true;
        }
        if (commitments.stream().noneMatch(c -> c.state().isHeld() || c.awaitsProgram())) {
            complete(next, now);
            return true;
        }
        return next != agreement;
    }

    private void complete(Agreement agreement, Instant now) {
        var complete = agreement.become(AgreementState.COMPLETE, "", now);
        service.store(complete, agreement, () -> books.journal().released(complete.keys()));
    }

    /** A site that no longer knows a reservation has let it go: after its end as it should, before it against its word. */
    private Commitment seen(Commitment commitment, @Nullable Answer<ReservationStatus> answer) {
        return answer == null ? commitment : answer.fold(commitment::seenAs, problem -> unseen(commitment, problem));
    }

    private Commitment unseen(Commitment commitment, LocalSchedulerException problem) {
        if (problem instanceof UnknownReservation) {
            boolean over =
                    !clock.instant().isBefore(commitment.reservation().slot().end());
            return commitment.in(over ? ReservationState.FINISHED : ReservationState.CANCELLED);
        }
        LOG.warn(
                "Site {} does not tell the state of {}: {}",
                commitment.site(),
                commitment.reservation().id(),
                problem.getMessage());
        return commitment;
    }

    private static String names(List<Commitment> commitments) {
        return String.join(
                ", ",
                commitments.stream()
                        .map(c -> c.site() + "/" + c.reservation().id())
                        .toList());
    }
}
