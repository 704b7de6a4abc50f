package org.metasched.adapter.testkit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;
import org.metasched.adapter.testkit.RuleReport.Outcome;

/**
 * Runs the rules against one site, and after each rule cancels all reservations it made there. Rules about abilities that the site lacks
 * are skipped, with a reason. Works on a live site: it waits only for slots and programs that begin soon. It reserves what
 * {@link KitSettings} say, and more for rules R4 (all that is left) and R6 (two nodes or more).
 */
public final class AdapterKit {

    private static final Map<AdapterRule, RuleCheck> CHECKS = checks();

    private final LocalScheduler site;
    private final KitSettings settings;

    /** @param site the site, which the kit does not close */
    public AdapterKit(LocalScheduler site, KitSettings settings) {
        this.site = site;
        this.settings = settings;
    }

    private static Map<AdapterRule, RuleCheck> checks() {
        var checks = new EnumMap<AdapterRule, RuleCheck>(AdapterRule.class);
        checks.put(AdapterRule.A1, StartRules::neverBefore);
        checks.put(AdapterRule.A2, trial -> trial.stable(StartRules::fixedPoint));
        checks.put(AdapterRule.A3, trial -> trial.stable(StartRules::neverEarlier));
        checks.put(AdapterRule.A4, StartRules::neverTooMuch);
        checks.put(AdapterRule.R1, ReservationRules::granted);
        checks.put(AdapterRule.R2, ReservationRules::oneKey);
        checks.put(AdapterRule.R3, ReservationRules::answeredIsFree);
        checks.put(AdapterRule.R4, ReservationRules::notOfferedAgain);
        checks.put(AdapterRule.R5, ReservationRules::refusalLeavesNothing);
        checks.put(AdapterRule.R6, ReservationRules::allOrNothing);
        checks.put(AdapterRule.C1, ReservationRules::cancelTwice);
        checks.put(AdapterRule.C2, ReservationRules::cancelledIsNotHeld);
        checks.put(AdapterRule.S1, LookRules::unknownId);
        checks.put(AdapterRule.S2, LookRules::newIsReserved);
        checks.put(AdapterRule.S3, LookRules::livesItsLife);
        checks.put(AdapterRule.F1, LookRules::foundByKey);
        checks.put(AdapterRule.F2, LookRules::unknownKey);
        checks.put(AdapterRule.W1, trial -> trial.stable(AbilityRules::windowsAgree));
        checks.put(AdapterRule.W2, AbilityRules::windowsWithin);
        checks.put(AdapterRule.B1, AbilityRules::bindTwice);
        checks.put(AdapterRule.P1, AbilityRules::publishTwice);
        checks.put(AdapterRule.P2, AbilityRules::plainNames);
        checks.put(AdapterRule.M1, AbilityRules::changed);
        checks.put(AdapterRule.M2, AbilityRules::refusedChange);
        checks.put(AdapterRule.J1, trial -> trial.stable(JobRules::oneJob));
        checks.put(AdapterRule.J2, trial -> trial.stable(JobRules::endsWithItsReservation));
        checks.put(AdapterRule.J3, JobRules::refusesWhatItCannotBring);
        checks.put(AdapterRule.J4, JobRules::eachProcessOnce);
        checks.put(AdapterRule.J5, JobRules::filesAreTheUsers);
        checks.put(AdapterRule.J6, JobRules::environmentArrives);
        checks.put(AdapterRule.J7, JobRules::runsInItsPlace);
        checks.put(AdapterRule.J8, JobRules::becomesItsUser);
        checks.put(AdapterRule.L1, AbilityRules::loadAddsUp);
        checks.put(AdapterRule.Y1, SiteRules::policyHolds);
        checks.put(AdapterRule.O1, OthersRules::theirsIsNotOffered);
        checks.put(AdapterRule.O2, OthersRules::lostNodesShow);
        checks.put(AdapterRule.Z1, trial -> trial.stable(SiteRules::questionsShareProcesses));
        return checks;
    }

    /** Runs all rules, in their order. */
    public List<RuleReport> run() throws InterruptedException {
        var reports = new ArrayList<RuleReport>();
        for (var rule : AdapterRule.values()) {
            reports.add(run(rule));
        }
        return List.copyOf(reports);
    }

    public RuleReport run(AdapterRule rule) throws InterruptedException {
        var trial = new RuleTrial(site, settings);
        var leftovers = new ArrayList<String>();
        RuleReport report;
        try {
            report = check(rule, trial);
        } finally {
            // Also when interrupted: no reservation of the kit may stay.
            leftovers.addAll(trial.cleanUp());
        }
        return leftovers.isEmpty() ? report : failed(rule, report.detail() + " " + String.join(" ", leftovers));
    }

    private static RuleReport check(AdapterRule rule, RuleTrial trial) throws InterruptedException {
        var check = Objects.requireNonNull(CHECKS.get(rule));
        try {
            return new RuleReport(rule, Outcome.PASSED, check.run(trial));
        } catch (Skipped skipped) {
            return new RuleReport(rule, Outcome.SKIPPED, String.valueOf(skipped.getMessage()));
        } catch (Broken broken) {
            return failed(rule, String.valueOf(broken.getMessage()));
        } catch (LocalSchedulerException mishap) {
            return failed(rule, mishap.getClass().getSimpleName() + ": " + mishap.getMessage());
        } catch (RuntimeException bug) {
            return failed(rule, "The adapter threw " + bug + ".");
        }
    }

    private static RuleReport failed(AdapterRule rule, String what) {
        return new RuleReport(rule, Outcome.FAILED, what + "\n" + rule.lookAt());
    }
}
