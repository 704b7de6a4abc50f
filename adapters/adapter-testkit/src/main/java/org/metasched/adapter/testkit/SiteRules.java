package org.metasched.adapter.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules Y and Z: limits of the site, and the cost of questions. */
final class SiteRules {

    /** A duration that most sites do not allow. */
    private static final Duration TOO_LONG = Duration.ofDays(300);

    private static final int RESERVATIONS = 3;

    /** Times that the same questions are asked. */
    private static final int ROUNDS = 2;

    /** Processes that may be started in each interval. */
    private static final int MOST_PROCESSES = 5;
    /** Longest age of a shared listing at most sites. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private SiteRules() {}

    /** {@link AdapterRule#Y1}. Tries to reserve only if no start is offered, so that no such reservation is made at a site that allows its length. */
    static String policyHolds(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var usual = trial.request();
        var request = new ResourceRequest(usual.need(), TOO_LONG, usual.requester());
        var from = trial.from();
        var offered = trial.start(request, from);
        boolean listed = isListed(trial, request, from);
        if (offered.isPresent() != listed && trial.site.windowListing().isPresent()) {
            throw new Broken("For " + TOO_LONG + ", earliestStart says "
                    + StartRules.shown(offered) + ", and the free windows "
                    + (listed ? "list a start." : "are empty."));
        } else if (offered.isPresent()) {
            return "The site allows " + TOO_LONG + ".";
        }
        try {
            Reservation granted = trial.reserve(trial.newKey(), request, trial.earliestStart());
            throw new Broken("No start is offered for " + TOO_LONG + ", but " + granted.id() + " is granted for it.");
        } catch (Refused refused) {
            if (String.valueOf(refused.getMessage()).isBlank()) {
                throw new Broken("The refusal of " + TOO_LONG + " does not say why.");
            }
            return "What is not offered is refused: " + refused.getMessage();
        }
    }

    private static boolean isListed(RuleTrial trial, ResourceRequest request, Instant from)
            throws LocalSchedulerException, Skipped {
        var end = trial.site.previewWindow().endFrom(trial.now());
        return trial.site.windowListing().isPresent()
                && end.isAfter(from)
                && !trial.windows(request, new TimeSlot(from, end)).starts().isEmpty();
    }

    /** {@link AdapterRule#Z1}. */
    static String questionsShareProcesses(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var started = Skipped.without(
                trial.settings.processes(), "The kit is not told how many processes the adapter starts.");
        List<ReservationId> ids = new ArrayList<>();
        for (int i = 0; i < RESERVATIONS; i++) {
            ids.add(trial.reserveSomewhere().id());
        }
        long before = started.getAsLong();
        Instant begun = trial.now();
        for (int i = 0; i < ROUNDS; i++) {
            trial.earliestStart();
            trial.site.states(ids);
            for (ReservationId id : ids) {
                trial.site.state(id);
            }
        }
        long cost = started.getAsLong() - before;
        var took = Duration.between(begun, trial.now());
        long most = MOST_PROCESSES * (1 + took.dividedBy(INTERVAL));
        String what = "Two questions and twice the states of " + RESERVATIONS + " reservations started " + cost
                + " processes in " + took;
        if (cost > most) {
            throw new Broken(what + ", more than " + most + ".");
        } else if (cost > MOST_PROCESSES && cost >= ROUNDS * (RESERVATIONS + 2)) {
            throw new Skipped(what + ": the site is so slow that its listings are too old to be shared.");
        }
        return what + ".";
    }
}
