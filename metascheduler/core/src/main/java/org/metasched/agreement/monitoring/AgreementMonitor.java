package org.metasched.agreement.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.Commitment;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.StatusDigest;
import org.metasched.agreement.guarantee.GuaranteeEvaluator;
import org.metasched.agreement.making.AgreementService;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the reservations of living agreements, and lets services, guarantees and the agreement itself follow. To be
 * called from time to time, by one thread of each process. An agreement is looked at often near starts and ends, while it is being ended
 * and where something is amiss, and rarely between.
 *
 * <p>An agreement is complete when each of its reservations has ended. One that loses a reservation before its slot, or
 * all of them at any time, is of no use as a co-allocation and is ended; one that loses a part while it runs goes on, with
 * its guarantee violated. What a silent site holds is not known, and nothing changes for it. When the slot has begun,
 * networks and sites are told the nodes of the job ({@link RuntimeBinding}).
 */
public final class AgreementMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementMonitor.class);
    /** Looked at together, with one question to each site. */
    private static final int CHUNK = 4_000;
    /** Agreements whose changes are saved in one transaction: others wait for it who end one of them. */
    private static final int TOGETHER = 32;
    /** How many intervals may pass between two looks. */
    private static final int RARELY = 20;
    /** By then another process looks at what this one took and did not come to. */
    private static final Duration TURN = Duration.ofMinutes(2);

    private final AgreementService service;
    private final AgreementService.Books books;
    private final SiteCalls calls;
    private final Clock clock;
    private final RuntimeBinding runtime;
    private final Programs programs;
    private final OnDegraded usual;
    private final Duration often;

    /**
     * @param service ends agreements that lost a reservation
     * @param books where the agreements are kept
     * @param calls how sites are asked
     * @param programs the service's
     * @param usual what is done about an agreement that loses nodes before its slot begins, if its offer does not say
     * @param often between two looks where something is about to happen
     * @param clock decides whether a slot has begun
     */
    public AgreementMonitor(
            AgreementService service,
            AgreementService.Books books,
            SiteCalls calls,
            Programs programs,
            OnDegraded usual,
            Duration often,
            Clock clock) {
        this.service = service;
        this.books = books;
        this.calls = calls;
        this.clock = clock;
        this.runtime = new RuntimeBinding(calls);
        this.programs = programs;
        this.usual = usual;
        this.often = often;
    }

    /**
     * One look at every agreement that is observed or being ended, and due.
     *
     * @return how many agreements changed
     */
    public int look() throws InterruptedException {
        int changed = 0;
        Instant now = clock.instant();
        AgreementRepository.Due due;
        do {
            Instant again = clock.instant().plus(TURN).truncatedTo(ChronoUnit.SECONDS);
            due = books.repository().takeDue(now, again, CHUNK);
            changed += look(due, again);
        } while (!due.isEmpty());
        return changed;
    }

    private int look(AgreementRepository.Due due, Instant again) throws InterruptedException {
        var answers = ask(due);
        var next = new LinkedHashMap<AgreementId, Instant>();
        var moved = new ArrayList<AgreementId>();
        for (var one : due.calm()) {
            if (one.parts().stream().allMatch(part -> isStill(part, answers))) {
                next.put(one.id(), calm(one.until(), one.id()));
            } else {
                moved.add(one.id());
            }
        }
        var whole = new ArrayList<>(due.whole());
        if (!moved.isEmpty()) {
            whole.addAll(books.repository().living(moved));
        }
        int changed = look(whole, answers, next);
        books.repository().lookAt(next, again);
        return changed;
    }

    /** Of a site that is not known any more nothing is asked, and nothing changes. */
    private static boolean isStill(StatusDigest.Part part, Map<StatusDigest.Place, Answer<ReservationStatus>> answers) {
        var answer = answers.get(part.place());
        return answer == null || answer.<Boolean>fold(part::isStill, problem -> false);
    }

    /** @param next gets the time of the next look at each */
    private int look(
            List<Agreement> agreements,
            Map<StatusDigest.Place, Answer<ReservationStatus>> answers,
            Map<AgreementId, Instant> next)
            throws InterruptedException {
        var silent = silent(agreements, answers);
        var seen = programs.follow(agreements, seen(agreements, answers));
        runtime.follow(IntStream.range(0, agreements.size())
                .boxed()
                .flatMap(i -> agreements.get(i).together(seen.get(i)).stream())
                .toList());
        var noted = note(agreements, seen, silent);
        int changed = 0;
        for (int i = 0; i < agreements.size(); i++) {
            var agreement = agreements.get(i);
            changed += follow(agreement, noted.get(i), seen.get(i)) ? 1 : 0;
            next.put(agreement.id(), next(agreement, seen.get(i), silent));
        }
        return changed;
    }

    /** Half way to what comes next, but not too soon and not too late, and never past it. */
    private Instant next(Agreement agreement, List<Commitment> seen, Set<SiteId> silent) {
        Instant now = clock.instant();
        Instant soon = now.plus(often).truncatedTo(ChronoUnit.SECONDS);
        boolean begun = agreement.slot().filter(s -> !now.isBefore(s.start())).isPresent();
        if (agreement.state() != AgreementState.OBSERVED
                || begun && agreement.offer().guarantees().stream().anyMatch(GuaranteeTerm::isValued)
                || seen.stream().anyMatch(part -> isRestless(part, silent, now))) {
            return soon;
        }
        var slots = seen.stream()
                .filter(part -> part.state().isHeld())
                .map(part -> part.reservation().slot())
                .toList();
        Instant comes = Stream.of(
                        slots.stream().map(TimeSlot::start),
                        slots.stream().map(TimeSlot::end),
                        agreement.offer().expiration().stream())
                .flatMap(times -> times)
                .filter(time -> time.isAfter(now))
                .min(Instant::compareTo)
                .orElse(soon);
        return calm(comes, agreement.id());
    }

    private Instant calm(Instant comes, AgreementId id) {
        Instant now = clock.instant();
        Instant soon = now.plus(often).truncatedTo(ChronoUnit.SECONDS);
        Instant half = now.plus(Duration.between(now, comes).dividedBy(2));
        // Spread, lest those that were looked at together stay together.
        long spread = RARELY / 2 * often.toMillis() * (id.hashCode() & 1023) / 1024;
        Instant late =
                now.plus(often.multipliedBy(RARELY / 2)).plusMillis(spread).truncatedTo(ChronoUnit.SECONDS);
        Instant calm = half.isBefore(late) ? half : late;
        Instant next = calm.isAfter(soon) ? calm : soon;
        return comes.isBefore(next) ? comes : next;
    }

    private static boolean isRestless(Commitment part, Set<SiteId> silent, Instant now) {
        var slot = part.reservation().slot();
        boolean late = part.state() == ReservationState.RESERVED && !now.isBefore(slot.start())
                || part.state().isHeld() && !now.isBefore(slot.end());
        boolean waits = part.awaitsProgram()
                && (part.state() != ReservationState.RESERVED
                        || part.run()
                                .filter(run -> run.status().equals(JobStatus.NEW))
                                .isPresent());
        return late || waits || part.isDegraded() || silent.contains(part.site());
    }

    /** The parts of each, as they stand now; none of those that are being ended, which are not asked about. */
    private List<List<Commitment>> seen(
            List<Agreement> agreements, Map<StatusDigest.Place, Answer<ReservationStatus>> answers) {
        return agreements.stream()
                .map(a -> a.state() == AgreementState.OBSERVED
                        ? a.commitments().stream()
                                .map(c -> seen(c, answers.get(c.place())))
                                .toList()
                        : List.<Commitment>of())
                .toList();
    }

    /** The sites that did not tell of a reservation which they do not deny. */
    private static Set<SiteId> silent(
            List<Agreement> agreements, Map<StatusDigest.Place, Answer<ReservationStatus>> answers) {
        return agreements.stream()
                .flatMap(agreement -> agreement.commitments().stream())
                .filter(part -> Optional.ofNullable(answers.get(part.place()))
                        .filter(answer -> answer.<Boolean>fold(
                                status -> false, problem -> !(problem instanceof UnknownReservation)))
                        .isPresent())
                .map(Commitment::site)
                .collect(Collectors.toSet());
    }

    /** One question to each site; a reservation that its answer leaves out is asked for by itself, which says why. */
    private Map<StatusDigest.Place, Answer<ReservationStatus>> ask(AgreementRepository.Due due)
            throws InterruptedException {
        var bySite = Stream.concat(
                        due.calm().stream().flatMap(one -> one.parts().stream()).map(StatusDigest.Part::place),
                        due.whole().stream()
                                .filter(agreement -> agreement.state() == AgreementState.OBSERVED)
                                .flatMap(agreement -> agreement.commitments().stream())
                                .filter(part -> part.state().isHeld())
                                .map(Commitment::place))
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
        return seen;
    }

    private static Optional<Answer<ReservationStatus>> of(
            StatusDigest.Place place, Answer<Map<ReservationId, ReservationStatus>> listed) {
        return listed.fold(
                all -> Optional.ofNullable(all.get(place.reservation())).map(Answer.Got::new),
                problem -> Optional.of(new Answer.Failed<>(problem)));
    }

    /** What was seen of each, saved some at a time; nothing of one that changed meanwhile. */
    private List<Optional<Agreement>> note(List<Agreement> due, List<List<Commitment>> seen, Set<SiteId> silent) {
        Instant now = clock.instant();
        var next = IntStream.range(0, due.size())
                .mapToObj(i -> due.get(i).state() != AgreementState.OBSERVED || isOver(due.get(i), now)
                        ? due.get(i)
                        : GuaranteeEvaluator.evaluate(due.get(i), seen.get(i), silent, service.levels(), now))
                .toList();
        var noted = new ArrayList<Optional<Agreement>>();
        for (int begin = 0; begin < due.size(); begin += TOGETHER) {
            var work = IntStream.range(begin, Math.min(due.size(), begin + TOGETHER))
                    .boxed()
                    .toList();
            boolean same = work.stream().allMatch(i -> next.get(i) == due.get(i));
            Supplier<List<Optional<Agreement>>> noting =
                    () -> work.stream().map(i -> note(next.get(i), due.get(i))).toList();
            noted.addAll(same ? noting.get() : books.transactions().inOne(noting));
        }
        return noted;
    }

    private Optional<Agreement> note(Agreement next, Agreement before) {
        try {
            return Optional.of(next == before ? before : service.note(next, before));
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next look will see", before.id());
            return Optional.empty();
        }
    }

    private static boolean isOver(Agreement agreement, Instant now) {
        return agreement.offer().expiration().filter(e -> !e.isAfter(now)).isPresent();
    }

    /** @param next as it stands in the store; nothing when another change came first */
    private boolean follow(Agreement agreement, Optional<Agreement> next, List<Commitment> commitments)
            throws InterruptedException {
        try {
            return agreement.state() == AgreementState.OBSERVED_AND_TERMINATING
                    ? service.finish(agreement).state().isFinal()
                    : next.isPresent() && judge(agreement, next.get(), commitments);
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next look will see", agreement.id());
            return false;
        }
    }

    private boolean judge(Agreement agreement, Agreement next, List<Commitment> commitments)
            throws InterruptedException {
        Instant now = clock.instant();
        if (isOver(agreement, now)) {
            service.terminate(
                    agreement.id(),
                    "It expired at " + agreement.offer().expiration().orElseThrow() + ".");
            return true;
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
                service.repair().begin(next, policy == OnDegraded.RENEGOTIATE);
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
