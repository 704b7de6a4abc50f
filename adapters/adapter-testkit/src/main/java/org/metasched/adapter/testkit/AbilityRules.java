package org.metasched.adapter.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules W, B, P, M and L: abilities that a site may leave out. */
final class AbilityRules {

    /** The number of listed windows that are compared with {@code earliestStart}. */
    private static final int WINDOWS_TRIED = 12;

    private AbilityRules() {}

    /** The span in which windows are listed: up to the end of the look-ahead, a week at most. */
    private static TimeSlot within(RuleTrial trial) {
        var from = trial.from();
        var end = trial.site.previewWindow().endFrom(trial.now());
        var week = from.plus(Duration.ofDays(7));
        return new TimeSlot(from, end.isAfter(week) ? week : end.isAfter(from) ? end : from.plusSeconds(1));
    }

    /** {@link AdapterRule#W1}. */
    static String windowsAgree(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var within = within(trial);
        var windows = trial.windows(trial.request(), within);
        var probes = probes(within, windows);
        for (var instant : probes) {
            var answer = trial.start(trial.request(), instant);
            var listed = windows.firstFrom(instant);
            boolean beyond = answer.isPresent() && answer.get().isAfter(within.end());
            if (!listed.equals(beyond ? Optional.empty() : answer)) {
                throw new Broken("From " + instant + " the first start in the list is " + StartRules.shown(listed)
                        + ", but earliestStart says " + StartRules.shown(answer) + ".");
            }
        }
        return windows.starts().size() + " windows; " + probes.size() + " instants compared.";
    }

    /** Instants at and beside the starts and ends of windows, and one between two seconds. */
    private static List<Instant> probes(TimeSlot within, FreeWindows windows) {
        var probes = new ArrayList<>(List.of(within.start(), within.start().plusMillis(1_500)));
        windows.starts().stream().limit(WINDOWS_TRIED).forEach(window -> {
            probes.add(window.earliest());
            probes.add(window.latest());
            probes.add(window.latest().plusSeconds(1));
        });
        probes.removeIf(instant -> instant.isAfter(within.end()));
        return probes;
    }

    /** {@link AdapterRule#W2}. */
    static String windowsWithin(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var whole = within(trial);
        var middle = whole.start().plus(whole.length().dividedBy(2));
        var spans = List.of(whole, new TimeSlot(middle, middle.plus(Duration.ofSeconds(90))));
        for (var span : spans) {
            for (var window : trial.windows(trial.request(), span).starts()) {
                if (window.earliest().isBefore(span.start()) || window.latest().isAfter(span.end())) {
                    throw new Broken(
                            "Asked from " + span.start() + " to " + span.end() + ", listed was " + window + ".");
                }
            }
        }
        return "Asked for " + spans.size() + " spans.";
    }

    private static RuntimeSupport runtime(RuleTrial trial) throws Skipped {
        return Skipped.without(trial.site.runtimeSupport(), "The site has no run-time support (bind, publish).");
    }

    /** {@link AdapterRule#B1}. */
    static String bindTwice(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var runtime = runtime(trial);
        var reservation = trial.reserveSomewhere();
        var addresses = List.of("node1.example.org", "192.0.2.7");
        runtime.bind(reservation.id(), addresses);
        runtime.bind(reservation.id(), addresses);
        return "Bound " + addresses + " twice.";
    }

    /** {@link AdapterRule#P1}. */
    static String publishTwice(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var runtime = runtime(trial);
        var reservation = trial.reserveSomewhere();
        runtime.publish(reservation.id(), "machines.kit", "node1:4\n");
        runtime.publish(reservation.id(), "machines.kit", "node2:4\n");
        return "Published machines.kit twice.";
    }

    /** {@link AdapterRule#P2}. */
    static String plainNames(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var runtime = runtime(trial);
        var reservation = trial.reserveSomewhere();
        for (String name : List.of("../kit", "a/b", "/tmp/kit", "..", "", "a\nb")) {
            try {
                runtime.publish(reservation.id(), name, "x");
            } catch (LocalSchedulerException.Refused | IllegalArgumentException refused) {
                continue;
            }
            throw new Broken("The name (" + name.replace("\n", "\\n") + ") was accepted.");
        }
        return "Paths, empty names and control characters are refused.";
    }

    private static ReservationChange changing(RuleTrial trial) throws Skipped {
        return Skipped.without(trial.site.reservationChange(), "The site does not change reservations in place.");
    }

    /** {@link AdapterRule#M1}. Makes a reservation longer, repeats the same change, and changes it back. */
    static String changed(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var changing = changing(trial);
        var made = trial.reserveSomewhere();
        var longer = trial.request().lasting(made.slot().length().plusMinutes(1));
        boolean isChanged = false;
        for (var asked : List.of(longer, longer, trial.request())) {
            Reservation changed;
            try {
                changed = changing.change(made.id(), asked, made.slot().start());
            } catch (LocalSchedulerException.Refused refusal) {
                if (isChanged) {
                    throw new Broken("After a change to " + longer.duration() + ", the change to " + asked.duration()
                            + " was refused: " + refusal.getMessage());
                }
                throw new Skipped("A longer reservation is not granted: " + refusal.getMessage());
            }
            isChanged = true;
            var seen = trial.site.state(made.id()).reservation();
            var slot = trial.site.previewWindow().covering(made.slot().start(), asked.duration());
            boolean isAsAsked = seen.slot().equals(slot)
                    && seen.granted().amount() == asked.need().amount();
            if (!isAsAsked || !seen.key().equals(made.key()) || !changed.holdsAs(seen)) {
                throw new Broken("Asked for " + asked.duration() + " from " + slot.start() + ", returned was " + changed
                        + ", and state says " + seen + ".");
            }
        }
        return "Changed to " + longer.duration() + " and back.";
    }

    /** {@link AdapterRule#M2}. */
    static String refusedChange(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var changing = changing(trial);
        var made = trial.reserveSomewhere();
        var request = trial.request();
        var tooMuch = request.of(request.need().withAmount(Need.MOST));
        try {
            var granted = changing.change(made.id(), tooMuch, made.slot().start());
            throw new Broken(Need.MOST + " were granted: " + granted + ".");
        } catch (LocalSchedulerException.Refused refused) {
            var seen = trial.site.state(made.id());
            if (!seen.state().isHeld() || !made.holdsAs(seen.reservation())) {
                throw new Broken("Held was " + made + ", and after the refusal " + seen + ".");
            }
            return "Refused: " + refused.getMessage();
        }
    }

    /** {@link AdapterRule#L1}. */
    static String loadAddsUp(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var load = Skipped.without(trial.site.loadReporting(), "The site does not report its load.")
                .load();
        if (load.freeNodes() < 0
                || load.freeNodes() > load.totalNodes()
                || load.runningJobs() < 0
                || load.queuedJobs() < 0) {
            throw new Broken("The load does not add up: " + load + ".");
        }
        return "The load is " + load + ".";
    }
}
