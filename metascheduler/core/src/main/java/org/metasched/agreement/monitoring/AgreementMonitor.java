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
 * Polls the reservations of living agreements, and derives the states of services, guarantees and agreements from them. To be
 * called from time to time. Thread-safe. An agreement is looked at often near starts and ends, while it is being ended
 * and where something is amiss, and rarely between.
 *
 * <p>An agreement is complete when each of its reservations has ended. One that loses a reservation before its slot, or
 * all of them at any time, is of no use as a co-allocation and is ended; one that loses a part while it runs goes on, with
 * its guarantee violated. What a silent site holds is not known, and nothing changes for it. When the slot has begun,
 * networks and sites are told the nodes of the job ({@link RuntimeBinding}).
 */
public final class AgreementMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementMonitor.class);
    /** Most agreements that are looked at together, with one question to each site. */
    private static final int CHUNK = 4_000;
    /** Agreements whose changes are saved in one transaction. A caller who ends one of them waits for it. */
    private static final int SAVED_TOGETHER = 32;
    /** Time after which agreements that this process took but did not look at are due again, for any process: a takeover takes no longer. */
    private static final Duration DUE_AGAIN_AFTER = Duration.ofSeconds(15);

    private final AgreementMaking making;
    private final Clock clock;
    private final RuntimeBinding runtime;
    private final ProgramHandover programs;
    private final OnDegraded usual;
    private final PollSchedule schedule;
    /** Next look at each agreement whose programs wait for each other at a gate. */
    private final Map<AgreementId, Instant> gates = new ConcurrentHashMap<>();

    /**
     * @param making service whose agreements are observed
     * @param programs handover of their programs
     * @param usual reaction to nodes that are lost before the slot, if the offer sets none
     * @param often interval of looks at an agreement near a start or an end, or in trouble
     * @param clock decides whether a slot has begun
     */
    public AgreementMonitor(
            AgreementMaking making, ProgramHandover programs, OnDegraded usual, Duration often, Clock clock) {
        this.making = making;
        this.clock = clock;
        this.runtime = new RuntimeBinding(making.calls());
        this.programs = programs;
        this.usual = usual;
        this.schedule = new PollSchedule(often, clock);
    }

    /**
     * Looks once at every agreement that is observed or being ended, and due.
     *
     * @return number of agreements that changed
     */
    public synchronized int look() throws InterruptedException {
        int changed = 0;
        Instant now = clock.instant();
        Due due;
        do {
            Instant again = clock.instant().plus(DUE_AGAIN_AFTER).truncatedTo(ChronoUnit.SECONDS);
            due = making.books().due().take(now, again, CHUNK);
            changed += look(due, again);
        } while (!due.isEmpty());
        return changed;
    }

    /** Looks at all that is due, if a gate is due: a server's usual interval is longer than programs should wait for each other. */
    public void lookAtGates() throws InterruptedException {
        Instant now = clock.instant();
        if (gates.values().removeIf(due -> !now.isBefore(due))) {
            look();
        }
    }

    private int look(Due due, Instant again) throws InterruptedException {
        var answers = ReservationStates.ask(making.calls(), due);
        var next = new LinkedHashMap<AgreementId, Instant>();
        var changedIds = new ArrayList<AgreementId>();
        for (var digest : due.calm()) {
            if (digest.parts().stream().allMatch(answers::isUnchanged)) {
                next.put(digest.id(), schedule.halfWayTo(digest.until(), digest.id()));
            } else {
                changedIds.add(digest.id());
            }
        }
        var whole = new ArrayList<>(due.whole());
        if (!changedIds.isEmpty()) {
            whole.addAll(making.books().due().living(changedIds));
        }
        int changed = look(whole, answers, next);
        making.books().due().schedule(next, again);
        return changed;
    }

    /** @param next receives the time of each agreement's next look */
    private int look(List<Agreement> agreements, ReservationStates answers, Map<AgreementId, Instant> next)
            throws InterruptedException {
        var silent = answers.silent(agreements);
        var seen = programs.follow(agreements, seen(agreements, answers));
        runtime.follow(IntStream.range(0, agreements.size())
                .boxed()
                .flatMap(i -> agreements.get(i).byCommonStart(seen.get(i)).stream())
                .toList());
        var noted = note(agreements, seen, silent);
        int changed = 0;
        for (int i = 0; i < agreements.size(); i++) {
            var agreement = agreements.get(i);
            changed += follow(agreement, noted.get(i), seen.get(i)) ? 1 : 0;
            next.put(agreement.id(), schedule.next(agreement, seen.get(i), silent));
            if (PollSchedule.isGateShut(seen.get(i))) {
                gates.put(agreement.id(), Objects.requireNonNull(next.get(agreement.id())));
            }
        }
        return changed;
    }

    /** The parts of each agreement as they are now; none of an agreement that is being ended, about which no site is asked. */
    private List<List<SiteCommitment>> seen(List<Agreement> agreements, ReservationStates answers) {
        Instant now = clock.instant();
        return agreements.stream()
                .map(a -> a.state() == AgreementState.OBSERVED
                        ? a.commitments().stream()
                                .map(c -> answers.seen(c, now))
                                .toList()
                        : List.<SiteCommitment>of())
                .toList();
    }

    /** Saves each agreement as seen, {@link #SAVED_TOGETHER} at a time; the result is empty for one that changed meanwhile. */
    private List<Optional<Agreement>> note(List<Agreement> due, List<List<SiteCommitment>> seen, Set<SiteId> silent) {
        Instant now = clock.instant();
        var next = IntStream.range(0, due.size())
                .mapToObj(i -> due.get(i).state() != AgreementState.OBSERVED || hasExpired(due.get(i), now)
                        ? due.get(i)
                        : GuaranteeEvaluator.evaluate(due.get(i), seen.get(i), silent, making.levels(), now))
                .toList();
        var noted = new ArrayList<Optional<Agreement>>();
        for (int begin = 0; begin < due.size(); begin += SAVED_TOGETHER) {
            var work = IntStream.range(begin, Math.min(due.size(), begin + SAVED_TOGETHER))
                    .boxed()
                    .toList();
            boolean same = work.stream().allMatch(i -> next.get(i) == due.get(i));
            Supplier<List<Optional<Agreement>>> noting =
                    () -> work.stream().map(i -> note(next.get(i), due.get(i))).toList();
            noted.addAll(same ? noting.get() : making.books().transactions().inOne(noting));
        }
        return noted;
    }

    private Optional<Agreement> note(Agreement next, Agreement before) {
        try {
            return Optional.of(next == before ? before : making.changes().record(next, before));
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next look will see", before.id());
            return Optional.empty();
        }
    }

    private static boolean hasExpired(Agreement agreement, Instant now) {
        return agreement.offer().expiration().filter(e -> !e.isAfter(now)).isPresent();
    }

    /**
     * Ends, repairs or completes an agreement as its parts require.
     *
     * @param next the agreement as saved at this look; empty when another change came first
     * @return whether the agreement changed
     */
    private boolean follow(Agreement agreement, Optional<Agreement> next, List<SiteCommitment> commitments)
            throws InterruptedException {
        try {
            return agreement.state() == AgreementState.OBSERVED_AND_TERMINATING
                    ? making.termination().finish(agreement).state().isFinal()
                    : next.isPresent() && judge(agreement, next.get(), commitments);
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next look will see", agreement.id());
            return false;
        }
    }

    private boolean judge(Agreement agreement, Agreement next, List<SiteCommitment> commitments)
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
        boolean begun = agreement.slot().filter(s -> !now.isBefore(s.start())).isPresent();
        if (!lost.isEmpty() && (!begun || lost.size() == commitments.size())) {
            making.termination().end(agreement.id(), "Lost " + names(lost) + ".");
            return true;
        }
        var refusal =
                commitments.stream().flatMap(c -> c.programRefusal().stream()).findFirst();
        if (refusal.isPresent() && !begun) {
            making.termination().end(agreement.id(), "A program will not run. " + refusal.get());
            return true;
        }
        if (!degraded.isEmpty() && !begun) {
            String message = "Degraded before the start: " + nodes(degraded) + ".";
            if (next != agreement) {
                LOG.warn("Agreement {}: {}", agreement.id(), message);
            }
            var policy = agreement.offer().onDegraded().orElse(usual);
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
                .save(complete, agreement, () -> making.books().journal().released(complete.keys()));
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
