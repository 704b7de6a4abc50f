package org.metasched.adapter.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules R and C: making reservations and giving them up. */
final class ReservationRules {

    private ReservationRules() {}

    /** {@link AdapterRule#R1}. */
    static String granted(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        var seen = trial.site.state(reservation.id()).reservation();
        if (!seen.slot().equals(reservation.slot()) || !seen.granted().equals(reservation.granted())) {
            throw new Broken("reserve returned " + wordsOf(reservation) + ", but state says " + wordsOf(seen) + ".");
        }
        if (!seen.key().equals(reservation.key()) || !seen.id().equals(reservation.id())) {
            throw new Broken("reserve returned " + reservation.id() + " under key " + reservation.key()
                    + ", but state says " + seen.id() + " under key " + seen.key() + ".");
        }
        var names = reservation.nodeNames();
        boolean nodes = reservation.granted().asNodes().isPresent();
        if (new HashSet<>(names).size() != names.size()
                || nodes
                        && !names.isEmpty()
                        && names.size() != reservation.granted().amount()) {
            throw new Broken("Granted were " + reservation.granted().words() + ", but the nodes are " + names + ".");
        }
        return "Held: " + wordsOf(reservation) + ".";
    }

    /** {@link AdapterRule#R6}. Reserves as the settings say, then two nodes or more with two cores or more of each. */
    static String allOrNothing(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var usual = trial.request();
        var reservation = trial.reserveSomewhere();
        requireAll(usual, reservation);
        Need more = usual.need()
                .fold(
                        n -> new Need.Nodes(Math.max(2, n.count()), Math.max(2, n.coresPerNode()), n.properties()),
                        bandwidth -> bandwidth,
                        licences -> licences);
        try {
            var start = more.equals(usual.need())
                    ? Optional.<Instant>empty()
                    : trial.site.earliestStart(usual.of(more), trial.from());
            if (start.isPresent()) {
                reservation = trial.reserve(trial.newKey(), usual.of(more), start.get());
                requireAll(usual.of(more), reservation);
            }
        } catch (LocalSchedulerException.Refused none) {
            return "Granted as asked; " + more.words() + " are refused: " + none.getMessage();
        }
        return "Granted as asked: " + wordsOf(reservation) + ".";
    }

    private static void requireAll(ResourceRequest asked, Reservation made) throws Broken {
        boolean nodes = asked.need()
                .asNodes()
                .map(wanted -> made.granted()
                        .asNodes()
                        .filter(n -> n.coresPerNode() >= wanted.coresPerNode()
                                && n.properties().containsAll(wanted.properties()))
                        .isPresent())
                .orElse(true);
        if (!nodes
                || made.granted().amount() < asked.need().amount()
                || made.slot().length().compareTo(asked.duration()) < 0) {
            throw new Broken("Asked was " + asked.need().words() + " for " + asked.duration() + ", granted is "
                    + wordsOf(made) + ", where all of it or nothing was due.");
        }
    }

    private static String wordsOf(Reservation reservation) {
        return reservation.granted().words() + " from " + reservation.slot().start() + " to "
                + reservation.slot().end();
    }

    /** {@link AdapterRule#R2}. */
    static String oneKey(RuleTrial trial) throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        var key = trial.newKey();
        var first = trial.reserveSomewhere(key);
        var start = first.slot().start();
        var again = trial.reserve(key, trial.request(), start);
        if (!again.id().equals(first.id())) {
            throw new Broken("Key " + key + " made two reservations: " + first.id() + " and " + again.id() + ".");
        }
        trial.site.cancel(first.id());
        var ids = twiceAtOnce(trial);
        return "The second reserve returned " + first.id() + " again; two at once made " + ids + ".";
    }

    /** Reserves by two callers with one key at once. One may be refused, not both; at most one reservation is made. */
    private static List<ReservationId> twiceAtOnce(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        var key = trial.newKey();
        var start = trial.earliestStart();
        var callers = Executors.newFixedThreadPool(2);
        try {
            var answers = new ArrayList<Future<Reservation>>();
            for (int i = 0; i < 2; i++) {
                answers.add(callers.submit(() -> trial.reserve(key, trial.request(), start)));
            }
            var ids = new ArrayList<ReservationId>();
            var refusals = new ArrayList<String>();
            for (var answer : answers) {
                try {
                    ids.add(answer.get().id());
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof LocalSchedulerException.Refused refused) {
                        refusals.add(refused.getMessage());
                    }
                }
            }
            check(trial, key, start, ids, refusals);
            return ids;
        } finally {
            callers.shutdownNow();
        }
    }

    private static void check(
            RuleTrial trial, RequestKey key, Instant start, List<ReservationId> ids, List<String> refusals)
            throws LocalSchedulerException, Broken {
        String callers = "Key " + key + ", used by two callers at once, ";
        if (new HashSet<>(ids).size() > 1) {
            throw new Broken(callers + "made two reservations: " + ids + ".");
        }
        if (refusals.size() > 1 && trial.start(trial.request(), start).equals(Optional.of(start))) {
            throw new Broken(callers + "was refused to both, and " + start + " is free: " + refusals.get(0));
        }
    }

    /** {@link AdapterRule#R3}. */
    static String answeredIsFree(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        return "Reserved at the start that was answered, " + reservation.slot().start() + ".";
    }

    /**
     * {@link AdapterRule#R4}. Requests more than is left. A scheduler that shares nodes, by cores or virtual nodes, may grant both
     * reservations.
     */
    static String notOfferedAgain(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        LoadReporting reporting = Skipped.without(
                trial.site.loadReporting(), "The site does not report its load, so its size is not known.");
        Need asked = trial.request().need();
        if (asked.asNodes().isEmpty()) {
            throw new Skipped("The kit asks this site for " + asked.words() + ", not for nodes.");
        }
        var held = trial.reserveSomewhere();
        int rest = reporting.load().totalNodes() - held.granted().amount() + 1;
        var need = asked.withAmount(Math.max(1, rest));
        var request = trial.request().of(need);
        String both = "With " + held.granted().words() + " held, " + need.amount() + " nodes ";
        Optional<Instant> answer;
        try {
            answer = trial.site.earliestStart(request, held.slot().start());
        } catch (LocalSchedulerException.Refused e) {
            return both + "are refused: " + e.getMessage();
        }
        if (answer.isPresent() && answer.get().isBefore(held.slot().end())) {
            try {
                trial.reserve(trial.newKey(), request, answer.get());
                return both + "are granted beside it: nodes are shared.";
            } catch (LocalSchedulerException.Refused refusal) {
                throw new Broken("With " + wordsOf(held) + " held, " + need.words() + " was said to be available at "
                        + answer.get() + ", more than is left of "
                        + reporting.load().totalNodes() + " nodes, and was refused: " + refusal.getMessage());
            }
        }
        return both + "are not to be had at the same time.";
    }

    /** {@link AdapterRule#R5}. */
    static String refusalLeavesNothing(RuleTrial trial) throws LocalSchedulerException, Broken {
        var absurd = trial.request().of(trial.request().need().withAmount(Need.MOST));
        var past = trial.now().minus(Duration.ofDays(2));
        return refusedAt(trial, absurd, trial.from(), "more than there is") + " "
                + refusedAt(trial, trial.request(), past, "a start in the past");
    }

    private static String refusedAt(RuleTrial trial, ResourceRequest request, Instant start, String what)
            throws LocalSchedulerException, Broken {
        var key = trial.newKey();
        try {
            var made = trial.reserve(key, request, start);
            throw new Broken("A request for " + what + " was granted: " + wordsOf(made) + ".");
        } catch (LocalSchedulerException.Refused | IllegalArgumentException refused) {
            var left = trial.site.find(key);
            if (left.isPresent() && left.get().state().isHeld()) {
                throw new Broken("A request for " + what + " was refused, but left "
                        + left.get().reservation().id() + " behind.");
            }
            return "Refused " + what + ": " + refused.getMessage();
        }
    }

    /** {@link AdapterRule#C1}. */
    static String cancelTwice(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        trial.site.cancel(reservation.id());
        try {
            trial.site.cancel(reservation.id());
        } catch (LocalSchedulerException second) {
            throw new Broken(
                    "The first cancel of " + reservation.id() + " worked, the second did not: " + second.getMessage());
        }
        return reservation.id() + " was cancelled twice.";
    }

    /** {@link AdapterRule#C2}. */
    static String cancelledIsNotHeld(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        trial.site.cancel(reservation.id());
        var found = trial.site.find(reservation.key());
        if (found.isPresent() && found.get().state().isHeld()) {
            throw new Broken("After cancel, find(" + reservation.key() + ") says "
                    + found.get().state() + ".");
        }
        try {
            var state = trial.site.state(reservation.id()).state();
            if (state.isHeld()) {
                throw new Broken("After cancel, state(" + reservation.id() + ") is " + state + ".");
            }
            return "After cancel its state is " + state + ".";
        } catch (LocalSchedulerException.UnknownReservation gone) {
            return "After cancel the site does not know it any more.";
        }
    }
}
