package org.metasched.adapter.testkit;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.testkit.RuleReport.Outcome;

/** The rules as JUnit tests, one for each: extend it and name the site. Needs JUnit Jupiter on the class path. */
public abstract class LocalSchedulerContract {

    /** The site, which the extending class opens and closes. Called once for each run of the rules. */
    protected abstract LocalScheduler scheduler() throws Exception;

    protected KitSettings settings() {
        return KitSettings.usual();
    }

    @TestFactory
    protected Stream<DynamicTest> keepsTheRules() throws Exception {
        var kit = new AdapterKit(scheduler(), settings());
        return Arrays.stream(AdapterRule.values())
                .map(rule -> DynamicTest.dynamicTest(rule.id() + " " + rule.title(), () -> judge(kit.run(rule))));
    }

    private static void judge(RuleReport report) {
        Assumptions.assumeFalse(report.outcome() == Outcome.SKIPPED, report.detail());
        if (report.outcome() == Outcome.FAILED) {
            Assertions.fail(report.rule().id() + ": " + report.detail());
        }
    }
}
