package org.metasched.agreement;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;
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
    private static final int CHUNK = 250;

    private final AgreementService service;
    private final AgreementService.Books books;
    private final SiteCalls calls;
    private final Clock clock;
    private final RuntimeBinding runtime;
    private final Programs programs;
    private final OnDegraded usual;

    /**
     * @param service ends agreements that lost a reservation
     * @param books where the agreements are kept
     * @param calls how sites are asked
     * @param programs the service's
     * @param usual what is done about an agreement that loses nodes before its slot begins, if its offer does not say
     * @param clock decides whether a slot has begun
     */
    public AgreementMonitor(
            AgreementService service,
            AgreementService.Books books,
            SiteCalls calls,
            Programs programs,
            OnDegraded usual,
            Clock clock) {
        this.service = service;
        this.books = books;
        this.calls = calls;
        this.clock = clock;
        this.runtime = new RuntimeBinding(calls);
        this.programs = programs;
        this.usual = usual;
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
            var answers = ask(chunk.stream()
                    .filter(a -> a.state() == AgreementState.OBSERVED)
                    .toList());
            var silent = silent(chunk, answers);
            var seen = programs.follow(chunk, look(chunk, answers));
            runtime.follow(IntStream.range(0, chunk.size())
                    .boxed()
                    .flatMap(i -> chunk.get(i).together(seen.get(i)).stream())
                    .toList());
            for (int i = 0; i < chunk.size(); i++) {
                changed += follow(chunk.get(i), seen.get(i), silent) ? 1 : 0;
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
    private List<List<Commitment>> look(
            List<Agreement> agreements, Map<RequestKey, Answer<ReservationStatus>> answers) {
        return agreements.stream()
                .map(a -> a.state() == AgreementState.OBSERVED
                        ? a.commitments().stream()
                                .map(c -> seen(c, answers.get(c.reservation().key())))
                                .toList()
                        : List.<Commitment>of())
                .toList();
    }

    /** The sites that did not tell of a reservation which they do not deny. */
    private static Set<SiteId> silent(List<Agreement> agreements, Map<RequestKey, Answer<ReservationStatus>> answers) {
        return agreements.stream()
                .flatMap(agreement -> agreement.commitments().stream())
                .filter(part -> Optional.ofNullable(
                                answers.get(part.reservation().key()))
                        .filter(answer -> answer.<Boolean>fold(
                                status -> false, problem -> !(problem instanceof UnknownReservation)))
                        .isPresent())
                .map(Commitment::site)
                .collect(Collectors.toSet());
    }

    /** One question to each site; a reservation that its answer leaves out is asked for by itself, which says why. */
    private Map<RequestKey, Answer<ReservationStatus>> ask(List<Agreement> agreements) throws InterruptedException {
        var bySite = agreements.stream()
                .flatMap(agreement -> agreement.commitments().stream())
                .filter(part -> part.state().isHeld()
                        && calls.directory().find(part.site()).isPresent())
                .collect(Collectors.groupingBy(Commitment::site, LinkedHashMap::new, Collectors.toList()));
        var listings = new ArrayList<Call<Map<ReservationId, ReservationStatus>>>();
        bySite.forEach((at, parts) -> listings.add(new Call<>(
                at,
                site -> site.states(
                        parts.stream().map(part -> part.reservation().id()).toList()))));
        var listed = calls.askAll(listings).iterator();
        Map<RequestKey, Answer<ReservationStatus>> seen = new HashMap<>();
        var left = new ArrayList<Commitment>();
        for (var parts : bySite.values()) {
            var answer = listed.next();
            for (var part : parts) {
                of(part, answer)
                        .ifPresentOrElse(status -> seen.put(part.reservation().key(), status), () -> left.add(part));
            }
        }
        var single = calls.askAll(left.stream()
                .map(part -> new Call<>(
                        part.site(), site -> site.state(part.reservation().id())))
                .toList());
        for (int i = 0; i < left.size(); i++) {
            seen.put(left.get(i).reservation().key(), single.get(i));
        }
        return seen;
    }

    private static Optional<Answer<ReservationStatus>> of(
            Commitment part, Answer<Map<ReservationId, ReservationStatus>> listed) {
        return listed.fold(
                all -> Optional.ofNullable(all.get(part.reservation().id())).map(Answer.Got::new),
                problem -> Optional.of(new Answer.Failed<>(problem)));
    }

    private boolean follow(Agreement agreement, List<Commitment> commitments, Set<SiteId> silent)
            throws InterruptedException {
        try {
            return agreement.state() == AgreementState.OBSERVED_AND_TERMINATING
                    ? service.finish(agreement).state().isFinal()
                    : judge(agreement, commitments, silent);
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next look will see", agreement.id());
            return false;
        }
    }

    private boolean judge(Agreement agreement, List<Commitment> commitments, Set<SiteId> silent)
            throws InterruptedException {
        Instant now = clock.instant();
        var next = agreement.seen(commitments, silent, service.levels(), now);
        if (next != agreement) {
            next = service.note(next, agreement);
        }
        var lost = commitments.stream()
                .filter(c -> c.state() == ReservationState.CANCELLED)
                .toList();
        var degraded = commitments.stream().filter(Commitment::isDegraded).toList();
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
        if (!degraded.isEmpty() && !begun) {
            String which = "Degraded before the start: " + nodes(degraded) + ".";
            if (next != agreement) {
                LOG.warn("Agreement {}: {}", agreement.id(), which);
            }
            var policy = agreement.offer().onDegraded().orElse(usual);
            if (policy == OnDegraded.END) {
                service.terminate(agreement.id(), which);
                return true;
            }
            if (policy != OnDegraded.TELL) {
                service.mending().begin(next, policy == OnDegraded.RENEGOTIATE);
            }
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

    private static String nodes(List<Commitment> degraded) {
        return String.join(
                ", ",
                degraded.stream()
                        .map(c -> c.site() + "/" + c.reservation().id() + " lost " + String.join(" ", c.lostNodes()))
                        .toList());
    }

    private static String names(List<Commitment> commitments) {
        return String.join(
                ", ",
                commitments.stream()
                        .map(c -> c.site() + "/" + c.reservation().id())
                        .toList());
    }
}
