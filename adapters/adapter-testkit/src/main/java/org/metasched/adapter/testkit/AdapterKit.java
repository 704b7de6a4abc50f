package org.metasched.adapter.testkit;

import java.util.ArrayList;
import java.util.List;
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

    private final LocalScheduler site;
    private final KitSettings settings;

    /** @param site the site, which the kit does not close */
    public AdapterKit(LocalScheduler site, KitSettings settings) {
        this.site = site;
        this.settings = settings;
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
        try {
            return new RuleReport(rule, Outcome.PASSED, rule.check.run(trial));
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
