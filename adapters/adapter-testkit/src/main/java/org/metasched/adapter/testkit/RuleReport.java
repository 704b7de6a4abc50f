package org.metasched.adapter.testkit;

/**
 * Result of one rule.
 *
 * @param detail observation, with a hint for the author if the rule failed; the reason if the rule was skipped
 */
public record RuleReport(AdapterRule rule, Outcome outcome, String detail) {

    /** How a rule ended. */
    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }
}
