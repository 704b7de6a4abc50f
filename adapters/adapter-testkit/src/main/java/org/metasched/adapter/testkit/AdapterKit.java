package org.metasched.adapter.testkit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;
import org.metasched.adapter.testkit.RuleReport.Outcome;

/**
 * Runs the rules against one site and cancels all it made there, after each rule. What a site does not offer is skipped
 * with a sentence. Works on a live site: it waits for nothing, and asks for no more than {@link KitSettings} say.
 */
public final class AdapterKit {

    private static final Map<Rule, RuleCheck> CHECKS = checks();

    private final LocalScheduler site;
    private final KitSettings settings;

    /** @param site is not closed by the kit */
    public AdapterKit(LocalScheduler site, KitSettings settings) {
        this.site = site;
        this.settings = settings;
    }

    private static Map<Rule, RuleCheck> checks() {
        var checks = new EnumMap<Rule, RuleCheck>(Rule.class);
        checks.put(Rule.A1, StartRules::neverBefore);
        checks.put(Rule.A2, trial -> trial.stable(StartRules::fixedPoint));
        checks.put(Rule.A3, trial -> trial.stable(StartRules::neverEarlier));
        checks.put(Rule.A4, StartRules::neverTooMuch);
        checks.put(Rule.R1, ReservationRules::granted);
        checks.put(Rule.R2, ReservationRules::oneKey);
        checks.put(Rule.R3, ReservationRules::answeredIsFree);
        checks.put(Rule.R4, ReservationRules::notOfferedAgain);
        checks.put(Rule.R5, ReservationRules::refusalLeavesNothing);
        checks.put(Rule.R6, ReservationRules::allOrNothing);
        checks.put(Rule.C1, ReservationRules::cancelTwice);
        checks.put(Rule.C2, ReservationRules::cancelledIsNotHeld);
        checks.put(Rule.S1, LookRules::unknownId);
        checks.put(Rule.S2, LookRules::newIsReserved);
        checks.put(Rule.S3, LookRules::livesItsLife);
        checks.put(Rule.F1, LookRules::foundByKey);
        checks.put(Rule.F2, LookRules::unknownKey);
        checks.put(Rule.W1, trial -> trial.stable(AbilityRules::windowsAgree));
        checks.put(Rule.W2, AbilityRules::windowsWithin);
        checks.put(Rule.B1, AbilityRules::bindTwice);
        checks.put(Rule.P1, AbilityRules::publishTwice);
        checks.put(Rule.P2, AbilityRules::plainNames);
        checks.put(Rule.J1, JobRules::oneJob);
        checks.put(Rule.J2, trial -> trial.stable(JobRules::endsWithItsReservation));
        checks.put(Rule.J3, JobRules::refusesWhatItCannotBring);
        checks.put(Rule.L1, AbilityRules::loadAddsUp);
        checks.put(Rule.Y1, SiteRules::policyHolds);
        checks.put(Rule.O1, OthersRules::theirsIsNotOffered);
        checks.put(Rule.O2, OthersRules::lostNodesShow);
        checks.put(Rule.Z1, trial -> trial.stable(SiteRules::questionsShareProcesses));
        return checks;
    }

    /** All rules, in their order. */
    public List<RuleReport> run() throws InterruptedException {
        var reports = new ArrayList<RuleReport>();
        for (var rule : Rule.values()) {
            reports.add(run(rule));
        }
        return List.copyOf(reports);
    }

    public RuleReport run(Rule rule) throws InterruptedException {
        var trial = new Trial(site, settings);
        var left = new ArrayList<String>();
        RuleReport report;
        try {
            report = tried(rule, trial);
        } finally {
            // Also when interrupted: what the kit made does not stay.
            left.addAll(trial.cleanUp());
        }
        return left.isEmpty() ? report : failed(rule, report.detail() + " " + String.join(" ", left));
    }

    private static RuleReport tried(Rule rule, Trial trial) throws InterruptedException {
        var check = CHECKS.get(rule);
        if (check == null) {
            throw new IllegalStateException("Rule " + rule + " has no check.");
        }
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

    private static RuleReport failed(Rule rule, String what) {
        return new RuleReport(rule, Outcome.FAILED, what + "\n" + rule.lookAt());
    }
}
