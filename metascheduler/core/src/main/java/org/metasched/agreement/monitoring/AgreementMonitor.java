package org.metasched.agreement.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.DueQueue.Due;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.guarantee.GuaranteeEvaluator;
import org.metasched.agreement.making.AgreementMaking;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the reservations of living agreements, and derives the states of services, guarantees and agreements from them. To be called from
 * time to time. Thread-safe. Polls an agreement often near starts and ends, while it is being ended and while it is in trouble, and rarely
 * between.
 *
 * <p>An agreement is complete when each of its reservations and programs has ended. It is ended if it loses a reservation before its slot,
 * or all of them at any time: then it is no co-allocation. If it loses a part later it goes on, with its guarantee violated. The parts at a
 * silent site stay as they were. When the slot has begun, networks and sites get the names of the job's nodes ({@link RuntimeBinding}).
 */
public final class AgreementMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementMonitor.class);
    /** Most agreements that are polled together, with one question to each site. */
    private static final int CHUNK = 4_000;
    /** Most agreements whose changes are saved in one transaction. A caller who ends one of them waits for the transaction. */
    private static final int SAVED_TOGETHER = 32;
    /** Time after which agreements that this process took and did not poll are due again, for any process. */
    private static final Duration DUE_AGAIN_AFTER = Duration.ofSeconds(15);

    private final AgreementMaking making;
    private final Clock clock;
    private final RuntimeBinding runtime;
    private final ProgramHandover programs;
    private final OnDegraded defaultReaction;
    private final PollSchedule schedule;
    /** The next poll of each agreement whose programs wait for each other: they pass a gate once all of them run. */
    private final Map<AgreementId, Instant> gates = new ConcurrentHashMap<>();

    /**
     * @param making service whose agreements are observed
     * @param programs handover of their programs
     * @param defaultReaction reaction to nodes that are lost before the slot, if the offer sets none
     * @param often interval of polls of an agreement near a start or an end, or in trouble
     * @param clock decides whether a slot has begun
     */
    public AgreementMonitor(
            AgreementMaking making, ProgramHandover programs, OnDegraded defaultReaction, Duration often, Clock clock) {
        this.making = making;
        this.clock = clock;
        this.runtime = new RuntimeBinding(making.calls());
        this.programs = programs;
        this.defaultReaction = defaultReaction;
        this.schedule = new PollSchedule(often, clock);
    }

    /**
     * Polls every agreement that is observed or being ended, and due.
     *
     * @return number of agreements that changed
     */
    public synchronized int poll() throws InterruptedException {
        int changed = 0;
        Instant now = clock.instant();
        Due due;
        do {
            Instant again = clock.instant().plus(DUE_AGAIN_AFTER).truncatedTo(ChronoUnit.SECONDS);
            due = making.books().due().take(now, again, CHUNK);
            changed += poll(due, again);
        } while (!due.isEmpty());
        return changed;
    }

    /** Polls if a gate is due: a server's usual interval is longer than programs should wait for each other. */
    public void pollGates() throws InterruptedException {
        Instant now = clock.instant();
        if (gates.values().removeIf(due -> !now.isBefore(due))) {
            poll();
        }
    }

    private int poll(Due due, Instant again) throws InterruptedException {
        var answers = ReservationStates.ask(making.calls(), due);
        var next = new LinkedHashMap<AgreementId, Instant>();
        var changedIds = new ArrayList<AgreementId>();
        for (var digest : due.digests()) {
            if (digest.parts().stream().allMatch(answers::isUnchanged)) {
                next.put(digest.id(), schedule.halfWayTo(digest.until(), digest.id()));
            } else {
                changedIds.add(digest.id());
            }
        }
        var agreements = new ArrayList<>(due.agreements());
        if (!changedIds.isEmpty()) {
            agreements.addAll(making.books().due().living(changedIds));
        }
        int changed = update(agreements, answers, next);
        making.books().due().schedule(next, again);
        return changed;
    }

    /**
     * Saves agreements as the sites report them, and acts on the changes.
     *
     * @param next receives the time of each agreement's next poll
     * @return number of agreements that changed
     */
    private int update(List<Agreement> agreements, ReservationStates answers, Map<AgreementId, Instant> next)
            throws InterruptedException {
        var silent = answers.silent(agreements);
        var parts = programs.follow(agreements, reportedParts(agreements, answers));
        runtime.follow(IntStream.range(0, agreements.size())
                .boxed()
                .flatMap(i -> agreements.get(i).byCommonStart(parts.get(i)).stream())
                .toList());
        var saved = save(agreements, parts, silent);
        int changed = 0;
        for (int i = 0; i < agreements.size(); i++) {
            var agreement = agreements.get(i);
            changed += advance(agreement, saved.get(i), parts.get(i)) ? 1 : 0;
            next.put(agreement.id(), schedule.next(agreement, parts.get(i), silent));
            if (PollSchedule.isGateShut(parts.get(i))) {
                gates.put(agreement.id(), Objects.requireNonNull(next.get(agreement.id())));
            }
        }
        return changed;
    }

    /** The parts of each agreement as reported; none of an agreement that is being ended, as no site is asked about it. */
    private List<List<SiteCommitment>> reportedParts(List<Agreement> agreements, ReservationStates answers) {
        Instant now = clock.instant();
        return agreements.stream()
                .map(a -> a.state() == AgreementState.OBSERVED
                        ? a.commitments().stream()
                                .map(c -> answers.reported(c, now))
                                .toList()
                        : List.<SiteCommitment>of())
                .toList();
    }

    /** Saves each agreement with its parts, {@link #SAVED_TOGETHER} at a time; the result is empty for one that changed meanwhile. */
    private List<Optional<Agreement>> save(List<Agreement> due, List<List<SiteCommitment>> parts, Set<SiteId> silent) {
        Instant now = clock.instant();
        var next = IntStream.range(0, due.size())
                .mapToObj(i -> due.get(i).state() != AgreementState.OBSERVED || hasExpired(due.get(i), now)
                        ? due.get(i)
                        : new GuaranteeEvaluator(due.get(i), parts.get(i), silent, making.levels(), now).evaluate())
                .toList();
        var saved = new ArrayList<Optional<Agreement>>();
        for (int begin = 0; begin < due.size(); begin += SAVED_TOGETHER) {
            var work = IntStream.range(begin, Math.min(due.size(), begin + SAVED_TOGETHER))
                    .boxed()
                    .toList();
            boolean same = work.stream().allMatch(i -> next.get(i) == due.get(i));
            Supplier<List<Optional<Agreement>>> saving =
                    () -> work.stream().map(i -> save(due.get(i), next.get(i))).toList();
            saved.addAll(same ? saving.get() : making.books().transactions().inTransaction(saving));
        }
        return saved;
    }

    private Optional<Agreement> save(Agreement before, Agreement next) {
        try {
            return Optional.of(next == before ? before : making.changes().record(before, next));
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next poll reads it", before.id());
            return Optional.empty();
        }
    }

    private static boolean hasExpired(Agreement agreement, Instant now) {
        return agreement.offer().expiration().filter(e -> !e.isAfter(now)).isPresent();
    }

    /**
     * Ends, repairs or completes an agreement as its parts require.
     *
     * @param next the agreement as saved at this poll; empty when another change came first
     * @return whether the agreement changed
     */
    private boolean advance(Agreement agreement, Optional<Agreement> next, List<SiteCommitment> commitments)
            throws InterruptedException {
        try {
            return agreement.state() == AgreementState.OBSERVED_AND_TERMINATING
                    ? making.termination().finish(agreement).state().isFinal()
                    : next.isPresent() && advance(agreement, next.get(), commitments);
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next poll reads it", agreement.id());
            return false;
        }
    }

    private boolean advance(Agreement agreement, Agreement next, List<SiteCommitment> commitments)
            throws InterruptedException {
        Instant now = clock.instant();
        if (hasExpired(agreement, now)) {
            making.termination()
                    .end(
                            agreement.id(),
                            "It expired at " + agreement.offer().expiration().orElseThrow() + ".");
            return true;
        }
        var lost = commitments.stream()
                .filter(c -> c.state() == ReservationState.CANCELLED)
                .toList();
        var degraded = commitments.stream().filter(SiteCommitment::isDegraded).toList();
        boolean hasBegun = agreement.hasBegun(now);
        if (!lost.isEmpty() && (!hasBegun || lost.size() == commitments.size())) {
            making.termination().end(agreement.id(), "Lost " + names(lost) + ".");
            return true;
        }
        var refusal =
                commitments.stream().flatMap(c -> c.programRefusal().stream()).findFirst();
        if (refusal.isPresent() && !hasBegun) {
            making.termination().end(agreement.id(), "A program will not run. " + refusal.get());
            return true;
        }
        if (!degraded.isEmpty() && !hasBegun) {
            String message = "Degraded before the start: " + nodes(degraded) + ".";
            if (next != agreement) {
                LOG.warn("Agreement {}: {}", agreement.id(), message);
            }
            var policy = agreement.offer().onDegraded().orElse(defaultReaction);
            if (policy == OnDegraded.END) {
                making.termination().end(agreement.id(), message);
                return true;
            }
            if (policy != OnDegraded.TELL) {
                making.repair().begin(next, policy == OnDegraded.RENEGOTIATE);
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
        making.changes()
                .save(agreement, complete, () -> making.books().journal().released(complete.keys()));
    }

    private static String nodes(List<SiteCommitment> degraded) {
        return degraded.stream()
                .map(c -> c.site() + "/" + c.reservation().id() + " lost " + String.join(" ", c.lostNodes()))
                .collect(Collectors.joining(", "));
    }

    private static String names(List<SiteCommitment> commitments) {
        return commitments.stream()
                .map(c -> c.site() + "/" + c.reservation().id())
                .collect(Collectors.joining(", "));
    }
}
