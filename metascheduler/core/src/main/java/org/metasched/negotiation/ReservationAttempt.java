package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.ReservationJournal.Intent;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;

/**
 * Asks every site to reserve at one start, in parallel: either each confirms its part, or everything is given back. Writes each intent
 * before it asks. A call without a known end counts as a reservation until {@code find} says otherwise. For one use, by one thread.
 */
public final class ReservationAttempt {

    private final NegotiationContext context;
    private final Instant start;
    private final List<Asked> asked = new ArrayList<>();
    private int callCount;

    /**
     * @param name name of the attempt; request keys are made of it, so no other attempt may have it
     * @param start the common start, to which the parts' offsets are added
     */
    public ReservationAttempt(NegotiationContext context, String name, List<SitePart> parts, Instant start) {
        this.context = context;
        this.start = start;
        for (int i = 0; i < parts.size(); i++) {
            asked.add(new Asked(new RequestKey(name + "-" + i), parts.get(i)));
        }
    }

    /** Outcome of an attempt. */
    public sealed interface End {
        /** Calls the function of its case. A new case adds a parameter, so that no caller compiles until it handles it. */
        default <R, E extends Exception> R fold(ResultCase<Confirmed, R, E> confirmed, ResultCase<Undone, R, E> undone)
                throws E {
            return this instanceof Confirmed made ? confirmed.of(made) : undone.of((Undone) this);
        }

        /** @param reservations reservations in the order of the parts */
        record Confirmed(List<SiteReservation> reservations) implements End {}

        /**
         * Some site did not confirm; everything was given back, or is left to the sweeper.
         *
         * @param cause the first site whose rules forbid it, else the first one that did not confirm
         * @param retryFrom the latest start that a site offered or made instead; in any case later than this attempt's
         * @param losers indexes of the parts that were not confirmed
         * @param problem the failure of the site {@code cause}; empty if it confirmed something else
         * @param orphans keys under which sites may still hold reservations
         */
        record Undone(
                SiteId cause,
                String reason,
                Instant retryFrom,
                List<Integer> losers,
                Optional<LocalSchedulerException> problem,
                List<RequestKey> orphans)
                implements End {}
    }

    /** Number of messages to sites so far. */
    public int calls() {
        return callCount;
    }

    /**
     * Makes all reservations or none.
     *
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     */
    public End run() throws InterruptedException {
        var now = context.clock().instant();
        boolean isSettled = false;
        try {
            context.journal()
                    .intend(asked.stream()
                            .map(a -> new Intent(a.key, a.part.site(), now))
                            .toList());
            reserveAll();
            findLost();
            var end = conclude();
            isSettled = true;
            return end;
        } finally {
            if (!isSettled) {
                giveUpInSpiteOfInterrupt();
            }
        }
    }

    private void reserveAll() throws InterruptedException {
        callCount += asked.size();
        var answers = context.calls()
                .askAll(asked.stream()
                        .map(a -> new Call<>(a.part.site(), site -> reserve(a, site)))
                        .toList());
        for (int i = 0; i < asked.size(); i++) {
            asked.get(i).recordReserve(answers.get(i));
        }
        orphanForeign();
    }

    /** Reserves one part. Checks the journal just before: after a pause, other processes may have given its intents back. */
    private Reservation reserve(Asked a, LocalScheduler site) throws LocalSchedulerException {
        if (!context.journal().ownsIntents()) {
            throw new Refused(
                    "This server has not reached its database for so long that another one may work in its place.");
        }
        return site.reserve(a.key, a.part.request(), start.plus(a.part.offset()));
    }

    /**
     * Makes orphans of reservations that sites made under other keys than asked for. A key that is in the journal is another request's: its
     * reservation is left alone.
     */
    private void orphanForeign() {
        for (var a : asked) {
            var foreign = a.foreign;
            if (foreign != null
                    && context.journal().find(List.of(foreign.key())).isEmpty()) {
                context.journal()
                        .intend(List.of(new Intent(
                                foreign.key(), a.part.site(), context.clock().instant())));
                context.journal().granted(List.of(new SiteReservation(a.part.site(), foreign)));
                context.sweeper().abandon(List.of(foreign.key()));
            }
        }
    }

    /** Looks up reservations that may have been made although the answer was lost; once more for those of which nothing was found. */
    private void findLost() throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            var lost = asked.stream().filter(Asked::mayBeLost).toList();
            if (lost.isEmpty()) {
                return;
            }
            callCount += lost.size();
            var answers = context.calls()
                    .askAll(lost.stream()
                            .map(a -> new Call<>(a.part.site(), site -> site.find(a.key)))
                            .toList());
            for (int i = 0; i < lost.size(); i++) {
                lost.get(i).recordFind(answers.get(i));
            }
        }
    }

    private End conclude() throws InterruptedException {
        var grants = asked.stream().flatMap(a -> a.granted().stream()).toList();
        var cause = asked.stream()
                .filter(a -> a.problem instanceof Forbidden && a.neverMade())
                .findFirst()
                .or(() -> asked.stream()
                        .filter(a -> a.objection(start).isPresent())
                        .findFirst());
        if (cause.isEmpty()) {
            return new End.Confirmed(grants);
        }
        context.journal().granted(grants);
        context.journal().released(keys(asked.stream().filter(Asked::neverMade).toList()));
        var toGiveBack = keys(asked.stream().filter(a -> !a.neverMade()).toList());
        context.sweeper().abandon(toGiveBack);
        callCount += toGiveBack.size();
        var orphans = context.sweeper().release(toGiveBack);
        if (!orphans.isEmpty()) {
            orphans = context.sweeper().release(orphans);
        }
        var site = cause.get().part.site();
        var problem = Optional.ofNullable(cause.get().problem);
        return new End.Undone(site, words(cause.get()), startAfter(), losers(), problem, orphans);
    }

    private String words(Asked cause) {
        var request = cause.part.request();
        return cause.problem instanceof Forbidden
                ? "Part " + (asked.indexOf(cause) + 1) + " of " + asked.size() + " ("
                        + request.need().words() + " for " + request.duration() + "): " + cause.problem.getMessage()
                : "Site " + cause.part.site() + " " + cause.objection(start).orElseThrow() + ".";
    }

    private List<Integer> losers() {
        return IntStream.range(0, asked.size())
                .filter(i -> asked.get(i).objection(start).isPresent())
                .boxed()
                .toList();
    }

    /** The latest start that a site offered or made instead; at least a grid interval after this attempt's. */
    private Instant startAfter() {
        var afterGrid =
                losers().stream().map(loser -> start.plus(asked.get(loser).grid()));
        return Stream.concat(afterGrid, asked.stream().flatMap(a -> a.otherStart().stream()))
                .reduce(start, TimeSlot::later);
    }

    private void giveUpInSpiteOfInterrupt() {
        boolean interrupted = Thread.interrupted();
        try {
            context.sweeper().abandon(keys(asked));
            context.sweeper().release(keys(asked));
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (StoreUnavailableException e) {
            // The sweeper has them in memory and the journal has their intents; the first problem is the one to report.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<RequestKey> keys(Collection<Asked> some) {
        return some.stream().map(a -> a.key).toList();
    }

    /** One part and the answers of its site so far. */
    private final class Asked {
        private final RequestKey key;
        private final SitePart part;
        private @Nullable Reservation held;
        private @Nullable LocalSchedulerException problem;
        /** A reservation that the site made under another key than the part's. */
        private @Nullable Reservation foreign;

        Asked(RequestKey key, SitePart part) {
            this.key = key;
            this.part = part;
        }

        void recordReserve(Answer<Reservation> answer) {
            held = answer.<@Nullable Reservation>fold(reservation -> reservation, failed -> null);
            problem = answer.<@Nullable LocalSchedulerException>fold(reservation -> null, failed -> failed);
            if (held != null && !held.key().equals(key)) {
                foreign = held;
                held = null;
                problem = new Unreachable("it confirmed " + foreign.key() + " when asked for " + key);
            }
        }

        /** Whether the site may hold the reservation although its answer was lost. */
        boolean mayBeLost() {
            return held == null && problem != null && problem.mayHaveHappened();
        }

        /** Whether the site is certain to hold nothing. */
        boolean neverMade() {
            return held == null && problem != null && !problem.mayHaveHappened();
        }

        void recordFind(Answer<Optional<ReservationStatus>> answer) {
            answer.fold(status -> status, failed -> Optional.<ReservationStatus>empty())
                    .filter(s -> s.state().isHeld())
                    .ifPresent(s -> held = s.reservation());
        }

        Optional<SiteReservation> granted() {
            return held == null ? Optional.empty() : Optional.of(new SiteReservation(part.site(), held));
        }

        /** Reason why the part is not confirmed, as the end of a sentence about its site; empty if it is. */
        Optional<String> objection(Instant commonStart) {
            if (held != null) {
                return GrantCheck.objection(part.request(), commonStart.plus(part.offset()), grid(), held);
            }
            return Optional.of(
                    problem instanceof Refused && !problem.isUnanswered()
                            ? "refused: " + problem.getMessage()
                            : "failed: " + (problem == null ? "no answer" : problem.getMessage()));
        }

        Duration grid() {
            return context.calls().directory().get(part.site()).previewWindow().grid();
        }

        /** The common start that would suit the reservation that the site made, or the start that it offered; empty if there is neither. */
        Optional<Instant> otherStart() {
            Optional<Instant> site = held != null
                    ? Optional.of(held.slot().start())
                    : problem instanceof Refused refused ? refused.possibleStart() : Optional.empty();
            return site.map(s -> s.minus(part.offset()));
        }
    }
}
