package org.metasched.it;

import java.time.Instant;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips the tests of {@code -Dfull} that would begin after {@code metasched.full.until}, in seconds since 1970. {@code .ci/run} puts it on the
 * class path of all modules, so that its run ends in time on a slow machine too. The tests of each build always run.
 */
public final class FullTestsDeadline implements ExecutionCondition {

    private static final Instant UNTIL = Instant.ofEpochSecond(Long.getLong("metasched.full.until", 253_402_300_799L));

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTags().contains("full") && Instant.now().isAfter(UNTIL)
                ? ConditionEvaluationResult.disabled("The machine is slow: the time for the tests of -Dfull is over.")
                : ConditionEvaluationResult.enabled("There is time.");
    }
}
