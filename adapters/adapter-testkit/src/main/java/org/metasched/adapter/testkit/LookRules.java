package org.metasched.adapter.testkit;

import java.time.Duration;
import java.time.Instant;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules S and F: looking at reservations. */
final class LookRules {

    /** Longest wait for the end of a slot. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private LookRules() {}

    /** {@link AdapterRule#S1}. */
    static String unknownId(RuleTrial trial) throws LocalSchedulerException, Broken {
        var unknown = new ReservationId("no-" + trial.newKey().value());
        try {
            var status = trial.site.state(unknown);
            throw new Broken("The state of " + unknown + ", which was never made, is " + status.state() + ".");
        } catch (LocalSchedulerException.UnknownReservation expected) {
            return String.valueOf(expected.getMessage());
        }
    }

    /** {@link AdapterRule#S2}. */
    static String newIsReserved(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        // The slot may begin while the site answers, so either state is right.
        var before = expected(reservation, trial.now());
        var status = trial.site.state(reservation.id());
        var expected = expected(reservation, trial.now());
        if (status.state() != before && status.state() != expected) {
            throw new Broken("At " + trial.now() + " the state of " + reservation.id() + ", which begins at "
                    + reservation.slot().start() + ", is " + status.state() + ", not " + expected + ".");
        }
        return "Its state is " + status.state() + ".";
    }

    private static ReservationState expected(Reservation reservation, Instant now) {
        return reservation.slot().start().isAfter(now) ? ReservationState.RESERVED : ReservationState.ACTIVE;
    }

    /** {@link AdapterRule#S3}. */
    static String livesItsLife(RuleTrial trial) throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        var left = Duration.between(trial.now(), reservation.slot().end());
        if (trial.settings.timeTravel().isEmpty() && left.compareTo(LONGEST_WAIT) > 0) {
            throw new Skipped("The kit cannot move the time of this site, and waits for a slot that ends within "
                    + LONGEST_WAIT + " only, as with --lead PT5S --duration PT1M.");
        }
        reach(trial, reservation.slot().start(), reservation.id(), ReservationState.ACTIVE);
        reach(trial, reservation.slot().end(), reservation.id(), ReservationState.FINISHED);
        return reservation.id() + " was ACTIVE in its slot and FINISHED after it.";
    }

    /** Waits for an instant and checks the state at it; in real time the site may show the state some seconds later. */
    private static void reach(RuleTrial trial, Instant when, ReservationId id, ReservationState expected)
            throws LocalSchedulerException, InterruptedException, Broken {
        var time = Duration.between(trial.now(), when).plusSeconds(1);
        if (trial.settings.timeTravel().isPresent()) {
            trial.settings.timeTravel().get().advance(time);
        } else {
            Thread.sleep(Math.max(0, time.toMillis()));
            trial.becomes(() -> trial.site.state(id).state() == expected);
        }
        var status = trial.site.state(id);
        if (status.state() != expected) {
            throw new Broken("At " + trial.now() + " the state of " + id + " is " + status.state()
                    + ", not " + expected + "; its slot is "
                    + status.reservation().slot() + ".");
        }
    }

    /** {@link AdapterRule#F1}. */
    static String foundByKey(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var reservation = trial.reserveSomewhere();
        var found = trial.site
                .find(reservation.key())
                .orElseThrow(() -> new Broken("Nothing is found under key " + reservation.key() + "."));
        if (!found.reservation().id().equals(reservation.id())
                || !found.reservation().slot().equals(reservation.slot())
                || !found.state().isHeld()) {
            throw new Broken("Made was " + reservation + ", found was " + found + ".");
        }
        return "Key " + reservation.key() + " finds " + reservation.id() + ".";
    }

    /** {@link AdapterRule#F2}. */
    static String unknownKey(RuleTrial trial) throws LocalSchedulerException, Broken {
        var key = trial.newKey();
        var found = trial.site.find(key);
        if (found.isPresent()) {
            throw new Broken("Key " + key + ", under which nothing was made, finds "
                    + found.get().reservation().id() + ".");
        }
        return "Nothing is found under a new key.";
    }
}
